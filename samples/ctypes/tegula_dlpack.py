# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of tegulac --c-abi in Python, by ctypes alone: a file to copy.

    kernels = tegula_dlpack.Library("libkernels.so", "kernels_")
    z = kernels.add_vectors(x, y)

Arguments are arrays of numpy, tensors of PyTorch, and whatever else has __dlpack__; they are not copied. Optional ones
may be None, lists of arrays are lists. Results are of the library of the first array; where that has no from_dlpack, and
of functions without arrays, they are objects that numpy.from_dlpack and torch.from_dlpack take. help(kernels.add_vectors)
shows the parameters. A call that is refused raises Error.

On a GPU, calls are work of PyTorch's current stream where PyTorch is in use, else of the null stream; `stream=` names
another, as an integer. Work on the CPU is done when a call returns, and other Python threads run meanwhile.
"""
import ast
import ctypes
import inspect
import operator
import re
import sys


class Error(RuntimeError):
    """What a kernel refuses, or how it fails."""


# ---- DLPack -------------------------------------------------------------------------------------------------------------


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    """Before DLPack 1.0."""
    name = b"dltensor"
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    name = b"dltensor_versioned"
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


READ_ONLY = 1
CPU, CUDA, CUDA_MANAGED = 1, 2, 13


def give_back(managed):
    if managed.deleter:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(managed.deleter)(ctypes.addressof(managed))


def python_function(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


capsule_pointer = python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
capsule_is = python_function("PyCapsule_IsValid", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# A capsule that is going away must not be counted as an object.
dying_pointer = python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
dying_is = python_function("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def drop(capsule):
    """Gives back the tensor of a capsule that nobody took: who takes one renames the capsule."""
    for kind in (Managed, Versioned):
        if dying_is(capsule, kind.name):
            give_back(kind.from_address(dying_pointer(capsule, kind.name)))


new_capsule = python_function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
drop_address = ctypes.cast(drop, ctypes.c_void_p)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(drop))  # Capsules may outlive this module.


def is_gpu(device):
    return device[0] in (CUDA, CUDA_MANAGED)


def device_of(array):
    kind, number = array.__dlpack_device__()
    return int(kind), int(number)


def capsule_of(array, stream):
    """A capsule that keeps the array's tensor: of DLPack 1.x, if the array knows that."""
    # 1 is the null stream of CUDA; without a stream, the array is on the CPU.
    arguments = {"stream": stream or 1} if is_gpu(device_of(array)) else {}
    try:
        return array.__dlpack__(max_version=(1, 1), **arguments)
    except TypeError:
        return array.__dlpack__(**arguments)


def tensor_in(capsule, what, is_read):
    """The address of a capsule's DLTensor."""
    if not capsule_is(capsule, Versioned.name):
        return capsule_pointer(capsule, Managed.name)  # It begins with the tensor.
    managed = Versioned.from_address(capsule_pointer(capsule, Versioned.name))
    if managed.major != 1:
        raise Error(f"{what} is of DLPack {managed.major}.{managed.minor}, and this file knows DLPack 1")
    if managed.flags & READ_ONLY and not is_read:
        raise Error(f"{what} is read-only, and the kernel writes it: copy it")
    return ctypes.addressof(managed.tensor)


class Result:
    """A tensor that a kernel made, for numpy.from_dlpack, torch.from_dlpack and others: once."""

    def __init__(self, library, address, stream):
        self._library, self._stream = library, stream
        self._managed = Versioned.from_address(address)
        self._device = (self._managed.tensor.device.type, self._managed.tensor.device.id)

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if self._managed is None:
            raise BufferError("this result was taken before: keep the array that was made of it")
        if copy or (dl_device is not None and tuple(map(int, dl_device)) != self._device):
            raise BufferError("this result is not copied: take it on its device, and copy that")
        if is_gpu(self._device) and stream != -1 and (stream or 1) != (self._stream or 1):
            self._library.synchronize(self._device, self._stream)  # Another stream does not wait for that of the kernel.
        managed, self._managed = self._managed, None
        address = ctypes.addressof(managed)
        if max_version is not None and max_version[0] >= 1:
            return new_capsule(address, Versioned.name, drop_address)
        return new_capsule(self._library.unversioned(address), Managed.name, drop_address)

    def __del__(self):
        if getattr(self, "_managed", None) is not None:
            give_back(self._managed)


# ---- Functions ----------------------------------------------------------------------------------------------------------

INTEGERS = {f"{sign}{bits}": getattr(ctypes, f"c_{'u' * (sign == 'u')}int{bits}") for sign in "su" for bits in (8, 16, 32, 64)}
SCALARS = {**INTEGERS, "bool": ctypes.c_bool, "f64": ctypes.c_double}  # Others are float in C.


def current_stream(device):
    torch = sys.modules.get("torch")
    return torch.cuda.current_stream(device[1]).cuda_stream if torch and torch.cuda.is_initialized() else 0


class Parameter:
    """As `<prefix>signatures` writes it: "x: const f32[2]|bf16[2]", with ? if it is optional and * if it is a list."""

    def __init__(self, text):
        self.name, const, self.type, mark, self.default = re.fullmatch(
            r"(\w+): (const )?([\w\[\]|]+)([?*]?)(?: = (.+))?", text).groups()
        self.is_read, self.is_optional, self.is_list = const is not None, mark == "?", mark == "*"
        self.is_array = "[" in self.type

    def in_python(self, follows_default):
        default = inspect.Parameter.empty
        if self.default:
            default = float(self.default) if self.default in ("inf", "-inf", "nan") else ast.literal_eval(self.default)
        elif self.type == "device":
            default = (CPU, 0)
        elif self.is_optional or follows_default:  # The defaults of some types are not told.
            default = None
        return inspect.Parameter(self.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)

    def scalar(self, function, value):
        if self.type in INTEGERS:
            value = operator.index(value)
            if SCALARS[self.type](value).value != value:  # ctypes takes the lower bits.
                raise Error(f"{function}: '{self.name}' is {value}, and the kernel takes {self.type}")
        return SCALARS.get(self.type, ctypes.c_float)(value)


class Function:
    def __init__(self, library, line):
        self.__name__, parameters, results = re.fullmatch(r"(\w+)\((.*)\)(?: -> (.*))?", line).groups()
        self.__doc__ = line
        self._library, self._function = library, library.function(self.__name__)
        self._parameters = [Parameter(each) for each in parameters.split(", ") if each]
        self._results = [Parameter(each) for each in results.split(", ")] if results else []
        stream = inspect.Parameter("stream", inspect.Parameter.KEYWORD_ONLY, default=None)
        shown = []
        for each in self._parameters:
            shown.append(each.in_python(bool(shown) and shown[-1].default is not inspect.Parameter.empty))
        self.__signature__ = inspect.Signature(shown + [stream])

    def __call__(self, *positional, **named):
        bound = self.__signature__.bind(*positional, **named)
        bound.apply_defaults()
        given = [(each, bound.arguments[each.name]) for each in self._parameters]
        given = [(each, list(value) if each.is_list else value) for each, value in given]
        device, first = (CPU, 0), None
        for parameter, value in given:
            for each in (value if parameter.is_list else [value]) if parameter.is_array else []:
                if each is not None and not hasattr(each, "__dlpack_device__"):
                    raise Error(f"{self.__name__}: '{parameter.name}' takes an array of numpy, a tensor of PyTorch or "
                                f"what else has __dlpack__, not a {type(each).__name__}")
            if parameter.type == "device":
                device = tuple(map(int, value))
            elif parameter.is_array and first is None and value is not None:
                first = next(iter(value), None) if parameter.is_list else value
                device = device_of(first) if first is not None else device
        stream = bound.arguments["stream"]
        if stream is None:
            stream = current_stream(device) if is_gpu(device) else 0

        kept, arguments = [], []  # Capsules keep what the arguments point to.
        for parameter, value in given:
            if parameter.is_list:
                addresses = [self._borrow(parameter, f"[{i}]", each, stream, kept) for i, each in enumerate(value)]
                arguments += [(ctypes.c_void_p * len(addresses))(*addresses), ctypes.c_int64(len(addresses))]
            elif parameter.is_array:
                arguments.append(ctypes.c_void_p(self._borrow(parameter, "", value, stream, kept)))
            elif parameter.type == "device":
                arguments.append(Device(*device))
            else:
                arguments.append(parameter.scalar(self.__name__, value))
        results = [ctypes.c_void_p() if each.is_array else SCALARS.get(each.type, ctypes.c_float)() for each in self._results]
        self._library.check(self._function(*arguments, ctypes.c_void_p(stream), *map(ctypes.byref, results)))

        made = tuple(Result(self._library, each.value, stream) if kind.is_array else each.value
                     for kind, each in zip(self._results, results))
        take = getattr(sys.modules.get(type(first).__module__.partition(".")[0]), "from_dlpack", None)
        if take:
            made = tuple(take(each) if isinstance(each, Result) else each for each in made)
        return made[0] if len(made) == 1 else made or None

    def _borrow(self, parameter, index, array, stream, kept):
        if array is None:  # The function says whether it may be.
            return None
        kept.append(capsule_of(array, stream))
        return tensor_in(kept[-1], f"{self.__name__}: '{parameter.name}{index}'", parameter.is_read)


class Library:
    """The functions of a kernel file: of a library, those whose names begin with a prefix."""

    def __init__(self, path, prefix):
        self._library, self._prefix = ctypes.CDLL(path), prefix
        if not hasattr(self._library, prefix + "signatures"):
            raise Error(f"{path} has no function '{prefix}signatures': is '{prefix}' the prefix of its kernel file, and was "
                        "that compiled with --c-abi (CMake: C_ABI)?")
        self._last_error, self._unversioned = self.function("last_error"), self.function("unversioned")
        self._last_error.restype = ctypes.c_char_p
        self._unversioned.restype = ctypes.c_void_p
        signatures = self.function("signatures")
        signatures.restype = ctypes.c_char_p
        for line in signatures().decode().splitlines():
            function = Function(self, line)
            setattr(self, function.__name__, function)

    def function(self, name):
        return self._library[self._prefix + name]  # Not the attribute, which is shared: its types are set here.

    def check(self, status):
        if status:
            raise Error(self._last_error().decode())

    def unversioned(self, address):
        return self._unversioned(ctypes.c_void_p(address))

    def synchronize(self, device, stream=0):
        """Waits for a stream, or for all work of a device."""
        self.check(self.function("synchronize")(Device(*device), ctypes.c_void_p(stream)))
