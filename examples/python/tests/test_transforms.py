import numpy as np
import pytest
from conftest import eps, need, padded

import convk


def convolve(x, k, mode):
    """The formula, by NumPy's transforms of the full size."""
    shape = [n + m - 1 for n, m in zip(x.shape[-2:], k.shape[-2:])]
    full = np.fft.ifft2(np.fft.fft2(x.astype(complex), shape) * np.fft.fft2(k.astype(complex), shape))
    cut = {
        "full": [(0, n) for n in shape],
        "same": [((m - 1) // 2, n) for n, m in zip(x.shape[-2:], k.shape[-2:])],
        "valid": [(m - 1, n - m + 1) for n, m in zip(x.shape[-2:], k.shape[-2:])],
    }[mode]
    return full[(..., *(slice(first, first + count) for first, count in cut))]


def numbers(rng, shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
def test_convolve2d(hw, rng, dtype, mode):
    x, k = numbers(rng, (7, 30, 41), dtype), numbers(rng, (5, 8), dtype)
    want = convolve(x, k, mode)
    got = hw.convolve2d(padded(x), padded(k), mode)
    tol = 50 * eps(dtype) * np.abs(want).max()
    assert got.dtype == dtype and got.shape == want.shape and np.abs(got - want).max() < tol
    assert np.abs(hw.convolve2d(x, k[::-1, ::-1].conj().copy(), mode, correlation=True) - want).max() < tol
    one = hw.convolve2d(x[3], k, mode)
    assert one.shape == want.shape[1:] and np.array_equal(one, got[3])
    out = padded(np.zeros_like(got))
    assert hw.convolve2d(x, k, mode, out=out) is out and np.array_equal(out, got) and np.isnan(out.base[:, :, -1]).all()


def test_scipy(hw, rng):
    signal = need("scipy.signal")
    x, k = rng.standard_normal((4, 33, 20)), rng.standard_normal((4, 6, 3))
    for mode in ("full", "same", "valid"):
        assert np.allclose(hw.convolve2d(x, k, mode), signal.fftconvolve(x, k, mode, axes=(1, 2)), atol=1e-12)
    for mode in ("full", "same", "valid"):
        assert np.allclose(hw.convolve2d(x[0], k[0], mode, correlation=True), signal.correlate(x[0], k[0], mode), atol=1e-12)


def test_plans(hw, rng):
    x, k = rng.standard_normal((6, 20, 24)), rng.standard_normal((3, 5, 5))
    plan = convk.FFTConv2D((20, 24), k, "same")
    assert plan.out_shape == (20, 24) and plan.kernels == 3 and plan.dtype == np.float64
    each = [convolve(x[i], k[i // 2], "same") for i in range(6)]
    assert np.allclose(hw.fftconv2d(plan, x), each, atol=1e-12)
    index = np.array([2, 0, 1, 1, 0, 2], np.uintp)
    want = [convolve(x[i], k[j], "same") for i, j in enumerate(index)]
    assert np.allclose(hw.fftconv2d(plan, x, kernel=index), want, atol=1e-12)
    del k, each
    assert np.allclose(hw.fftconv2d(plan, x, kernel=index), want, atol=1e-12)
    with pytest.raises(ValueError, match="dealt out"):
        hw.fftconv2d(plan, x[:4])
    with pytest.raises(TypeError, match="uintp"):
        hw.fftconv2d(plan, x, kernel=index.astype(np.int32))
    with pytest.raises(convk.Error, match="kernel that the plan does not have"):
        hw.fftconv2d(plan, x, kernel=index + np.uintp(1))
    with pytest.raises(ValueError, match="fields has the shape"):
        hw.fftconv2d(plan, x[:, :, :20].copy())
    with pytest.raises(TypeError, match="not float64"):
        hw.fftconv2d(plan, x.astype(np.float32))
    with pytest.raises(ValueError, match="mode is 'Same'"):
        convk.FFTConv2D((20, 24), rng.standard_normal((5, 5)), "Same")


def test_other_modes(hw, rng):
    x, k = rng.standard_normal((20, 24)), rng.standard_normal((5, 3))
    circular = convk.FFTConv2D((20, 24), k, "circular")
    assert np.allclose(hw.fftconv2d(circular, x), np.fft.ifft2(np.fft.fft2(x) * np.fft.fft2(k, x.shape)), atol=1e-12)
    window = convk.FFTConv2D((20, 24), k, "window", origin=(3, 2), out_shape=(10, 7))
    assert np.allclose(hw.fftconv2d(window, x), convolve(x, k, "full")[3:13, 2:9], atol=1e-12)


def test_large_field(hw, rng):
    x, k = rng.standard_normal((1500, 40)), rng.standard_normal((30, 5))
    assert np.allclose(hw.convolve2d(x, k), convolve(x, k, "full"), atol=1e-11)


def test_overlapping_items(hw, rng):
    """Windows of one image go in as they are."""
    image, k = rng.standard_normal((64, 40)), rng.standard_normal((3, 3))
    windows = np.lib.stride_tricks.sliding_window_view(image, 16, axis=0).transpose(0, 2, 1)[::4]
    assert np.allclose(hw.convolve2d(windows, k, "valid"), convolve(windows, k, "valid"), atol=1e-12)


def test_fft2d(hw, cplx, rng):
    x = numbers(rng, (5, 30, 21), cplx)
    got = hw.fft2d(padded(x))
    assert np.abs(got - np.fft.fft2(x)).max() < 30 * eps(cplx) * np.abs(got).max()
    plan = convk.FFT2D((30, 21), cplx)
    assert np.abs(hw.fft2d(got, inverse=True, plan=plan) - x).max() < 30 * eps(cplx)
    here = x.copy()
    assert hw.fft2d(here, out=here) is here and np.array_equal(here, got)
    assert np.array_equal(hw.fft2d(x[2], plan=plan), got[2])
    with pytest.raises(convk.Error, match="product of 2, 3, 5, 7"):
        convk.FFT2D((11, 8))
    with pytest.raises(TypeError, match="fields is of float64"):
        hw.fft2d(np.zeros((4, 4)))


def test_spectra(hw, rng):
    fields, spectra = rng.standard_normal((4, 12, 20)), np.fft.fft2(rng.standard_normal((2, 12, 20)))
    got = hw.fftconv2d(convk.FFTConv2D.from_spectrum((12, 20), spectra, np.float64), fields)
    want = np.fft.ifft2(np.fft.fft2(fields) * spectra.repeat(2, axis=0)).real
    assert got.dtype == float and np.abs(got - want).max() < 1e-12 * np.abs(want).max()
    phases = np.exp(2j * np.pi * rng.random((12, 20)))
    waves = fields + 1j * fields[::-1]
    for kind in (np.complex64, np.complex128):
        plan = convk.FFTConv2D.from_spectrum((12, 20), phases.astype(kind))
        got, want = hw.fftconv2d(plan, waves.astype(kind)), np.fft.ifft2(np.fft.fft2(waves) * phases)
        assert got.dtype == kind and np.abs(got - want).max() < 20 * np.finfo(kind).eps * np.abs(want).max()
        back = hw.fftconv2d(convk.FFTConv2D.from_spectrum((12, 20), phases.astype(kind), correlation=True), got)
        assert np.abs(back - waves).max() < 20 * np.finfo(kind).eps * np.abs(waves).max()
    kernel = rng.standard_normal((3, 5))
    same = convk.FFTConv2D.from_spectrum((12, 20), np.fft.fft2(kernel, (15, 24)), float, mode="same", kernel_shape=(3, 5))
    assert np.abs(hw.fftconv2d(same, fields) - hw.fftconv2d(convk.FFTConv2D((12, 20), kernel, "same"), fields)).max() < 1e-12
    with pytest.raises(ValueError, match="not that of the fields"):
        convk.FFTConv2D.from_spectrum((12, 24), phases)
    with pytest.raises(TypeError, match="do not go with"):
        convk.FFTConv2D.from_spectrum((12, 20), phases, np.float32)
    with pytest.raises(TypeError, match="spectrum is of float64"):
        convk.FFTConv2D.from_spectrum((12, 20), phases.real)
