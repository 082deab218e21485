export const sorted = (a) => [...a].sort((x, y) => x - y)
export const quantile = (a, q) => { const s = sorted(a); if (!s.length) return NaN; const p = (s.length - 1) * q; const lo = Math.floor(p); const hi = Math.ceil(p); return s[lo] + (s[hi] - s[lo]) * (p - lo) }
export const median = (a) => quantile(a, 0.5)
export const fmt = (x, d = 2) => x == null || Number.isNaN(x) ? '-' : Math.abs(x) >= 1000 ? Math.round(x).toLocaleString('en-US') : x.toFixed(Math.abs(x) >= 100 ? 0 : Math.abs(x) >= 10 ? 1 : d)
