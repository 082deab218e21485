import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of Redis that can lose replies, fall silent or cut connections. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cutAnswerTo: ((request: Buffer) => boolean) | undefined;
  #isSilent = false;
  #connections = 0;

  private constructor(redisPort: number) {
    this.#server = createServer((client) => this.#forward(client, connect(redisPort, '127.0.0.1')));
  }

  static async start(redisPort: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(redisPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The number of connections opened so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Forwards the next matching request to Redis, but cuts the connection before the reply. Resolves when the request arrives. */
  cutAnswerTo(matches: (request: Buffer) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#cutAnswerTo = (request) => {
        if (!matches(request)) return false;
        resolve();
        return true;
      };
    });
  }

  /** Keeps the open connections open but forwards nothing from them any more; new connections work. */
  fallSilent(): void {
    for (const socket of this.#sockets) socket.pause();
    this.#isSilent = true;
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #forward(client: Socket, redis: Socket): void {
    this.#connections += 1;
    this.#isSilent = false;
    let isCut = false;
    const close = () => {
      client.destroy();
      redis.destroy();
    };
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.on('error', close);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (!this.#isSilent) close();
      });
    }
    client.on('data', (request) => {
      if (this.#cutAnswerTo?.(request)) {
        this.#cutAnswerTo = undefined;
        isCut = true;
      }
      redis.write(request);
    });
    redis.on('data', (answer) => {
      if (isCut) close();
      else client.write(answer);
    });
  }
}
