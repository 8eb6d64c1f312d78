"""One function, many inputs: threads on this machine, or Ray on a cluster."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ._core import _request_interrupt

Input = TypeVar("Input")
Output = TypeVar("Output")


def map(function: Callable[[Input], Output], inputs: Iterable[Input], *, threads: int | None = None,
        backend: str = "threads") -> list[Output]:
    """Calls `function` on every input and returns the answers in the order of the inputs.

    `threads` is the number of calls that run at the same time (default: one per core). Long calls of this library
    release Python's lock, so threads are enough on one machine. With `backend="ray"` (pip install prehend[ray]) the
    calls go to the cluster that Ray is connected to, or to `threads` local worker processes when it is not; function,
    inputs and answers must then be picklable: poses, inertias and meshes are, scenes are not (send their paths).

    When calls fail, the exception of the first failing input is raised; its attribute `input_index` says which.

    >>> import prehend
    >>> prehend.map(lambda size: prehend.geometry.mass_properties(prehend.geometry.make_box([size] * 3)).volume, [1, 2, 3])
    [1.0, 8.0, 27.0]
    """
    if threads is not None and threads < 1:
        raise ValueError(f"prehend.map: threads is {threads}; it must be at least 1")
    items = list(inputs)
    if backend == "threads":
        return _map_threads(function, items, threads or os.cpu_count() or 1)
    if backend == "ray":
        return _map_ray(function, items, threads)
    raise ValueError(f"prehend.map: backend is '{backend}'; it must be 'threads' or 'ray'")


def _mark(error: BaseException, index: int) -> BaseException:
    """Says which input failed, on the exception itself, so that its type stays what it was."""
    try:
        error.input_index = index  # type: ignore[attr-defined]
    except AttributeError:
        pass
    error.add_note(f"prehend.map: input {index} failed")
    return error


def _map_threads(function: Callable[[Any], Any], items: list[Any], threads: int) -> list[Any]:
    with ThreadPoolExecutor(max_workers=threads) as pool:
        futures = [pool.submit(function, item) for item in items]
        answers = []
        for index, future in enumerate(futures):
            try:
                answers.append(future.result())
            except BaseException as error:
                for waiting in futures:
                    waiting.cancel()
                if isinstance(error, KeyboardInterrupt):
                    _request_interrupt()  # a call may have begun since Ctrl-C
                raise _mark(error, index)
        return answers


def _caught(function: Callable[[Any], Any]) -> Callable[[Any], tuple[bool, Any, str]]:
    """The function with its exception as part of the answer: Ray would wrap it in a type of its own."""
    def call(item: Any) -> tuple[bool, Any, str]:
        try:
            return True, function(item), ""
        except Exception as error:
            return False, error, traceback.format_exc()
    return call


def _map_ray(function: Callable[[Any], Any], items: list[Any], threads: int | None) -> list[Any]:
    try:
        import ray
    except ImportError as error:
        raise ImportError("prehend.map: backend 'ray' needs Ray; pip install prehend[ray]") from error
    started = not ray.is_initialized()
    if started:
        ray.init(num_cpus=threads, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        task = ray.remote(_caught(function))
        references = [task.remote(item) for item in items]
        answers = []
        for index, reference in enumerate(references):
            try:
                done, answer, trace = ray.get(reference)
            except Exception as error:
                raise _mark(error, index)
            if not done:
                for waiting in references[index + 1:]:
                    ray.cancel(waiting)
                answer.add_note(f"on the worker:\n{trace}")
                raise _mark(answer, index)
            answers.append(answer)
        return answers
    finally:
        if started:
            ray.shutdown()
