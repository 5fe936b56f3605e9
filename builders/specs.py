"""The specs of a split as a sequence that makes each one when it is asked for."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Spec_co = TypeVar("Spec_co", covariant=True)


class LazySpecs(Sequence[Spec_co]):
    """A sequence of specs; a subclass gives their number and makes the one at a place."""

    @abstractmethod
    def spec(self, index: int) -> Spec_co:
        """Returns the spec at a place from 0 up."""

    @overload
    def __getitem__(self, index: int) -> Spec_co: ...
    @overload
    def __getitem__(self, index: slice) -> list[Spec_co]: ...
    def __getitem__(self, index: int | slice) -> Spec_co | list[Spec_co]:
        if isinstance(index, slice):
            return [self.spec(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} records, none at {index}")
        return self.spec(index % len(self))
