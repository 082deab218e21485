const render = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));

/** A titled value of an event: a string as it is, everything else as JSON. Renders nothing for a missing value. */
export function Value({ title, value }: { title: string; value: unknown }) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'object' && Object.keys(value).length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      {/* Long output scrolls, and what scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>{render(value)}</pre>
    </>
  );
}
