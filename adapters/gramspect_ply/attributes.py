"""The attributes of objects: those in their dictionaries, and those in the slots of their classes.

Slots are read and written by the descriptors that Python makes of ``__slots__``, which know the
names of private ones, and run no code of the user's.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MemberDescriptorType

__all__ = ["UNSET", "attributes_of", "put_into", "slots_of", "value_in"]

UNSET = object()
"""What a slot without a value holds."""


def slots_of(kind: type) -> tuple[MemberDescriptorType, ...]:
    """The slots of the objects of a class, those of its base classes included.

    Where a class has a slot of the same name as its base, that of the class comes first.
    """
    return tuple(
        member
        for base in kind.__mro__
        if "__slots__" in vars(base)
        for member in vars(base).values()
        if isinstance(member, MemberDescriptorType)
    )


def value_in(slot: MemberDescriptorType, thing: object) -> object:
    """What an object has in a slot, or `UNSET`."""
    try:
        return slot.__get__(thing, type(thing))
    except AttributeError:
        return UNSET


def put_into(slot: MemberDescriptorType, thing: object, value: object) -> None:
    """Give an object a value in a slot; with `UNSET` it has none afterwards."""
    if value is not UNSET:
        slot.__set__(thing, value)
    elif value_in(slot, thing) is not UNSET:
        slot.__delete__(thing)


def attributes_of(thing: object) -> Mapping[str, object]:
    """The attributes that an object has itself, by their names."""
    held = [(slot.__name__, value_in(slot, thing)) for slot in reversed(slots_of(type(thing)))]
    in_slots = {name: value for name, value in held if value is not UNSET}
    dictionary = getattr(thing, "__dict__", None)
    return {**dictionary, **in_slots} if isinstance(dictionary, Mapping) else in_slots
