"""Compiles the kernel where there is a C compiler; gramspect works without one, but slower.

The modules of core/gramspect/kernel are ordinary Python over one flat memory. Here their functions
are written out again as one Cython module, with C types instead of the annotations, so that nothing
has to be written twice:

    def slot(m: Numbers, keys: int) -> int:     cdef inline int64_t earley_slot(
                                                    int64_t* m, int64_t keys) noexcept nogil:

Every function whose first parameter is the memory ``m`` is translated, with the name of its module
before its own. A function with the mark `entry` gets a wrapper that Python can call, under its own
name, which lets other threads run meanwhile.
"""

from __future__ import annotations

import ast
import shutil
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from sysconfig import get_config_var
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL = Path(__file__).parent / "core" / "gramspect" / "kernel"
COMPILED = "gramspect.kernel.machine_code"

HEADER = '''\
# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
from libc.stdint cimport int32_t, int64_t

# No other pointer leads into the memory, so what is read through others stays as it was read.
cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define ALONE __restrict
    #else
    #define ALONE __restrict__
    #endif
    typedef int64_t *ALONE Memory;
    """
    ctypedef int64_t* Memory

cdef int fill(int64_t* fields, object values) except -1:
    cdef Py_ssize_t i
    for i, value in enumerate(values):
        fields[i] = value
    return 0
'''
C_TYPES = {"int": "int64_t", "bool": "int64_t", "Numbers": "int64_t*", "Narrow": "int32_t*"}


class BuildHook(BuildHookInterface[Any]):
    """Puts the compiled kernel beside its sources, and into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        name = f"machine_code{get_config_var('EXT_SUFFIX')}"
        self.folder = TemporaryDirectory()
        made = Path(self.folder.name, name)
        why = compile_kernel(made)
        if why is not None:
            self.app.display_warning(
                "gramspect: without a C compiler the kernel is not compiled, so large jobs take"
                f" longer. Install one, and gramspect again, to change that. ({why})"
            )
        elif version == "editable":
            partial = KERNEL / f"{name}.new"
            shutil.copy(made, partial)
            partial.replace(KERNEL / name)
        else:
            build_data |= {"pure_python": False, "infer_tag": True}
            build_data["force_include"][str(made)] = f"gramspect/kernel/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()


def compile_kernel(place: Path) -> str | None:
    """Make the extension module; returns why there is none, if there is none."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext
    from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

    with TemporaryDirectory() as folder:
        source = Path(folder, "machine_code.pyx")
        source.write_text(translation(), encoding="utf-8")
        optimized = [] if sys.platform == "win32" else ["-O3", "-g0"]
        extension = Extension(COMPILED, [str(source)], extra_compile_args=optimized)
        command = build_ext(Distribution({"ext_modules": cythonize([extension], quiet=True)}))
        command.build_lib = command.build_temp = folder
        try:
            command.ensure_finalized()
            command.run()
            shutil.copy(command.get_ext_fullpath(COMPILED), place)
        except (CompileError, ExecError, LinkError, PlatformError, OSError) as error:
            return str(error)
        return None


def translation() -> str:
    """The Cython module. It tells what it was made of: its own digest and that of the sources."""
    modules = {path.stem: Module(path) for path in sorted(KERNEL.glob("*.py"))}
    parts: list[str] = []
    for module in modules.values():
        parts += module.structs()
    for module in modules.values():
        names = module.names | module.imported(modules)
        for function in module.functions:
            parts.append(c_function(function, names))
            if "entry" in map(ast.unparse, function.decorator_list):
                parts.append(wrapper(function, names[function.name]))
    text = HEADER + "\n".join(parts)
    sources = b"".join(path.read_bytes() for path in sorted(KERNEL.glob("*.py")))
    digest = sha256(text.encode()).hexdigest()
    return f'{text}\nSOURCES = "{sha256(sources).hexdigest()}"\nDIGEST = "{digest}"\n'


class Module:
    """A module of the kernel, and what its names stand for in the translation."""

    def __init__(self, path: Path) -> None:
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in self.tree.body if isinstance(node, ast.FunctionDef)]
        self.functions = [f for f in functions if [a.arg for a in f.args.args][:1] == ["m"]]
        self.names = {f.name: f"{path.stem}_{f.name}" for f in self.functions}
        constants: dict[str, Any] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and all(name.isupper() for name in stored(node)):
                exec(compile(ast.Module([node], []), str(path), "exec"), constants)
                self.names |= {name: f"({constants[name]}LL)" for name in stored(node)}

    def imported(self, modules: dict[str, Module]) -> dict[str, str]:
        """What names from other modules of the kernel stand for."""
        found: dict[str, str] = {}
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                source = modules.get(node.module.removeprefix("gramspect.kernel."))
                known = source.names if source else {}
                found |= {a.name: known[a.name] for a in node.names if a.name in known}
        return found

    def structs(self) -> Iterator[str]:
        """A struct for every named tuple of numbers."""
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases):
                fields = [f.target for f in node.body if isinstance(f, ast.AnnAssign)]
                lines = indented(f"int64_t {ast.unparse(field)}" for field in fields)
                yield f"cdef struct {node.name}:\n{lines}"


def stored(node: ast.AST) -> list[str]:
    """The names that are assigned to inside, each once."""
    found = (
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return list(dict.fromkeys(found))


def parameters(function: ast.FunctionDef) -> list[tuple[str, str]]:
    """Name and annotation of each parameter."""
    return [(a.arg, ast.unparse(a.annotation)) for a in function.args.args if a.annotation]


def c_type(name: str, annotation: str) -> str:
    """The memory is reached through no other parameter, and C may count on that."""
    return "Memory" if name == "m" else C_TYPES.get(annotation, f"const {annotation}*")


def c_function(function: ast.FunctionDef, names: dict[str, str]) -> str:
    """A function that only the kernel calls. Its variables are all numbers."""
    given = parameters(function)
    own = [name for name in stored(function) if name not in dict(given)]
    hidden = {*own, *dict(given)}
    translate = Translator({name: text for name, text in names.items() if name not in hidden})
    described = ast.get_docstring(function) is not None
    body = [ast.unparse(translate.visit(node)) for node in function.body[described:]]
    result = "void" if returns(function) == "None" else "int64_t"
    declared = ", ".join(f"{c_type(name, annotation)} {name}" for name, annotation in given)
    lines = [f"cdef int64_t {name} = 0" for name in own] + "\n".join(body).splitlines()
    header = f"cdef inline {result} {names[function.name]}({declared}) noexcept nogil:\n"
    return header + indented(lines)


def returns(function: ast.FunctionDef) -> str:
    return ast.unparse(function.returns) if function.returns else "None"


class Translator(ast.NodeTransformer):
    """Puts in what names stand for, and makes all numbers as wide as those of the memory."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node if isinstance(node.value, bool) else ast.Name(f"{node.value}LL", ast.Load())


def wrapper(function: ast.FunctionDef, name: str) -> str:
    """What Python calls: arrays come as buffers, named tuples become structs."""
    header, passed, lines = [], [], []
    for given, annotation in parameters(function):
        if annotation in ("int", "bool"):
            header.append(f"int64_t {given}")
            passed.append(given)
        elif annotation in C_TYPES:
            cells = C_TYPES[annotation]
            header.append(f"const {cells[:-1]}[::1] {given}")
            passed.append(f"<{cells}>&{given}[0]")
        else:
            header.append(f"object {given}")
            lines += [f"cdef {annotation} c_{given}", f"fill(<int64_t*>&c_{given}, {given})"]
            passed.append(f"&c_{given}")
    call = f"{name}({', '.join(passed)})"
    if returns(function) == "None":
        lines += ["with nogil:", f"    {call}"]
    else:
        kind = "bint" if returns(function) == "bool" else "int64_t"
        lines += [f"cdef {kind} result", "with nogil:", f"    result = {call}", "return result"]
    return f"def {function.name}({', '.join(header)}):\n" + indented(lines)


def indented(lines: Iterable[str]) -> str:
    """The body of something."""
    return "".join(f"    {line}\n" for line in lines)
