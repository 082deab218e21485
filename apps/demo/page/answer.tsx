import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/* What scrolls must be reachable by keyboard, which not every browser does by itself. */
/* oxlint-disable jsx-a11y/no-noninteractive-tabindex */
const components: Components = {
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => <table tabIndex={0}>{children}</table>,
  // The box of a task in a list.
  input: ({ checked }) => <input type="checkbox" aria-label="Task" checked={checked} disabled />,
};
/* oxlint-enable jsx-a11y/no-noninteractive-tabindex */

/** An assistant's text, rendered as Markdown. Raw HTML is shown as text, never as elements. */
export function Answer({ text }: { text: string }) {
  return (
    <div className="answer">
      <Markdown remarkPlugins={plugins} components={components}>
        {text}
      </Markdown>
    </div>
  );
}
