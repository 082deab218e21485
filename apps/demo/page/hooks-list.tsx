import type { HookDescriptor } from '@svc/contracts';

/** The hooks of one stage: `before` hooks are a card's header, `after` hooks its footer. */
export function HooksList({ hooks, stage }: { hooks: readonly HookDescriptor[]; stage: 'before' | 'after' }) {
  const shown = hooks.filter((hook) => hook.stage === stage);
  if (shown.length === 0) return null;
  return (
    <ul className={`hooks ${stage}`} aria-label={stage === 'before' ? 'Hooks before' : 'Hooks after'}>
      {shown.map((hook, index) => (
        <li key={`${hook.name}:${index}`}>
          {hook.name} {hook.status === 'failed' ? 'failed' : 'ran'} {stage} in {hook.elapsed_ms ?? 0} ms
        </li>
      ))}
    </ul>
  );
}
