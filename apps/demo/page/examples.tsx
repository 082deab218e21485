import type { RunMode } from './api.js';

const examples: readonly { message: string; mode: RunMode }[] = [
  { message: 'How many lines does README.md have?', mode: 'agent' },
  { message: 'What are the 5 largest files?', mode: 'agent' },
  { message: 'Which files changed most often?', mode: 'agent' },
  { message: 'Show the last 3 commits', mode: 'agent' },
  { message: 'Where is "EventBridge" mentioned in md files?', mode: 'agent' },
  { message: 'Write a signed report titled "Weekly numbers"', mode: 'agent' },
  { message: 'Analyse the folder packages and write a report about it', mode: 'swarm' },
];

/** Example questions, shown in a new session. */
export function Examples({ onAsk }: { onAsk: (message: string, mode: RunMode) => void }) {
  return (
    <>
      <h2>Ask about the folder</h2>
      <p>The agent explores a real folder with tools that run on this machine. Try one of these:</p>
      <ul className="examples">
        {examples.map(({ message, mode }) => (
          <li key={message}>
            <button type="button" onClick={() => onAsk(message, mode)}>
              {message}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
