/** The questions of the README, and the same questions in other words. */
export const questions = {
  lines: [
    'How many lines does README.md have?',
    'count the lines of README.md',
    'README.md: how many lines are in it?',
  ],
  largest: [
    'What are the 5 largest files?',
    'Show me the biggest 5 files',
    'List the five largest files by size',
  ],
  changed: [
    'Which files changed most often?',
    'What files are modified the most in the git history?',
    'Most frequently changed files, please',
  ],
  commits: [
    'Show the last 3 commits',
    'What were the 3 latest commits?',
    'git history, the newest three commits',
  ],
  search: [
    'Where is "stream_gap" mentioned in md files?',
    'Search for "stream_gap" in md files',
    'Find the text "stream_gap" in the files with extension md',
  ],
  report: [
    'Write a signed report titled "Weekly numbers"',
    'Save a signed report with the title "Weekly numbers"',
    'Please write the report "Weekly numbers" to a file',
  ],
} as const;
