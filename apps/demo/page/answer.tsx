import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/** Text of an assistant, as Markdown. Raw HTML in it is shown as text, never as elements. */
export function Answer({ text }: { text: string }) {
  return (
    <div className="answer">
      <Markdown remarkPlugins={plugins}>{text}</Markdown>
    </div>
  );
}
