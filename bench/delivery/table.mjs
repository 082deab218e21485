import { readFileSync } from 'node:fs';

/** The most a figure may be, relative to raw `node:http` in the same round. */
const targets = [
  [/^1x100 .* burst=1 us$/, '0.8x'],
  [/^1x1000 .* burst=1 us$/, '0.85x'],
  [/^1x1000? .* burst=16 us$/, '0.5x'],
  [/^1000x1 small burst=1 us$/, '2.0x (frames 1.3x)'],
  [/^H=.* (us|cpuUs)$/, '1.0x'],
  [/^idle .* rssPer$/, '1.1x'],
  [/^idle .* beatUs$/, '1.0x'],
  [/^latency .* p50$/, '1.1x'],
];

/**
 * Returns a result of the harness as a Markdown table: medians, and the median of the rounds' ratios to `raw`. `warmUp`
 * is the share of the rounds to exclude, starting with the first.
 */
export function tableOf(file, { metric, title, warmUp }) {
  const { meta, rows: all } = JSON.parse(readFileSync(file, 'utf8'));
  const rows = all.filter(({ round }) => round >= Math.floor(meta.rounds * warmUp));
  const lines = [...new Set(rows.map(({ key }) => key))].map((key) => {
    const figures = meta.adapters.map((adapter) =>
      figure(
        rows.filter((row) => row.key === key),
        { adapter, metric },
      ),
    );
    const target = targets.find(([pattern]) => pattern.test(`${key} ${metric}`))?.[1] ?? '';
    return `| ${[key, ...figures, target].join(' | ')} |`;
  });
  const head = [`${meta.workload}: ${title}`, ...meta.adapters, 'target'];
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...lines].join('\n');
}

function figure(rows, { adapter, metric }) {
  const mine = rows.filter((row) => row.adapter === adapter && row[metric] !== null);
  if (mine.length === 0) return '-';
  const baseOf = new Map(rows.filter((row) => row.adapter === 'raw').map((row) => [row.round, row[metric]]));
  const value = median(mine.map((row) => row[metric]));
  const ratio = median(mine.map((row) => row[metric] / baseOf.get(row.round)));
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: digits })} (${ratio.toFixed(2)}x)`;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
