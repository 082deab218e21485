import type { AppEvent } from '@svc/contracts';
import { EventBridge } from '../../src/bridge/event-bridge.js';

/** An application's own types are often interfaces, which have no index signature. */
interface OrderCard {
  event_kind: 'custom';
  order: number;
}
declare const card: OrderCard;
declare const event: AppEvent;
const bridge = new EventBridge('s');

void bridge.emit('order_card', card);
void bridge.emit(event.event_name, event);
void bridge.emitToolEvent({ toolName: 't', toolId: '1', status: 'executing', args: card });
void bridge.emitSystemToolStart({ toolType: 't', toolId: '1', params: card });
void bridge.emitError({ error: 'x', details: card });
void bridge.emitEnrichment({ phase: 'p', message: 'm', memory: card, redaction: card });
void bridge.emitFinal({ response: 'x', result: card });
// @ts-expect-error a payload is an object
void bridge.emit('order_card', 'card');
