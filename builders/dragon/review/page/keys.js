// The keys of the page: what they do is said in the help; what a field does with them is here.

import { $ } from "./elements.js";

// Key, what it does, and the only mode that it is for.
export const KEYS = [
  ["Enter", "accept, next item"],
  ["N, Page Down / P, Page Up", "next / previous item"],
  ["U", "next item that is not done"],
  ["Tab / Shift+Tab", "select the next / previous box"],
  ["A / S", "role of the selected box: answer / support"],
  ["L", "change its label"],
  ["X, Delete", "remove it"],
  ["Arrows", "move it by a pixel; with Shift by ten; with Alt change its size"],
  ["D, or drag on free ground", "draw a box (Shift+drag also on other boxes)"],
  ["Click on an outline", "add that region"],
  ["G", "show or hide the outlines of other regions"],
  ["/", "find a region"],
  ["F", "flag as ambiguous"],
  ["C", "write a note"],
  ["1 / 2", "take the left / right side", "arbitration"],
  ["K, double click", "copy a box from the other side", "arbitration"],
  ["1 / 2 / 3", "both yes / CEA only / neither", "marks"],
  ["Ctrl+Z / Ctrl+Y", "undo / redo"],
  ["+ / − / 0, Ctrl+wheel", "larger / smaller / all of the picture"],
  ["Escape", "leave a field, let go of a box"],
];

// Tells whether a key is for the field that has the focus.
export function typing(event) {
  const field = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (!field) return false;
  if (event.key === "Escape" || (event.key === "Enter" && field !== $("note") && field.tagName !== "SELECT")) {
    event.preventDefault();
    if (event.key === "Enter" && field === $("filter")) $("regions").querySelector("button")?.click();
    field.blur();
  }
  return true;
}
