import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/** An assistant's text, rendered as Markdown. Raw HTML is shown as text, never as elements. */
export function Answer({ text }: { text: string }) {
  return (
    <div className="answer">
      <Markdown remarkPlugins={plugins}>{text}</Markdown>
    </div>
  );
}
