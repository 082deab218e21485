import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type {
  ElicitRequestParams,
  ElicitResult,
  LoggingMessageNotification,
} from '@modelcontextprotocol/sdk/types.js';

/** What a server says or asks on its own. */
export interface ServerRequests {
  onLog(line: LoggingMessageNotification['params']): void;
  onToolsChanged(): void;
  onElicit(params: ElicitRequestParams): Promise<ElicitResult>;
}

/** Lets what a server says on its own reach us. */
export async function bindServerRequests(client: Client, requests: ServerRequests): Promise<void> {
  const { ElicitRequestSchema, LoggingMessageNotificationSchema, ToolListChangedNotificationSchema } =
    await import('@modelcontextprotocol/sdk/types.js');
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => requests.onLog(params));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => requests.onToolsChanged());
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => requests.onElicit(params));
}
