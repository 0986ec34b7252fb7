/**
 * Somebody's server that webhooks are pushed to. It sees each request, and takes it or not; its answer may be lost on the way.
 */
import type { Random } from './random';
import { numberOf } from './service';
import type { OutgoingRequest, Task, World } from './world';

/** A request that came. */
export interface Attempt extends OutgoingRequest {
  /** What it says it is of. */
  readonly eventId: string;
  /** The task that sent it. */
  readonly task: Task;
  readonly actor: number;
  readonly moment: number;
  /** By the clock of the world, Unix milliseconds. */
  readonly at: number;
  readonly status: number;
}

export const isTaken = ({ status }: Attempt): boolean => status < 300;

export class Receiver {
  readonly attempts: Attempt[] = [];
  /** How often it does not take what comes. */
  failing = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {
    world.respond = (task, request) => this.receive(task, request);
  }

  private receive(task: Task, request: OutgoingRequest): Response {
    const { world, random } = this;
    const status = random.chance(this.failing) ? random.weighted({ '500': 6, '302': 1, '410': 0.7 }) : '204';
    const eventId = request.headers['webhook-id'] ?? '';
    this.attempts.push({ ...request, eventId, task, actor: numberOf(task), moment: world.moment, at: world.now, status: Number(status) });
    world.log(`${new URL(request.url).host} answers ${status}`);
    return new Response(null, { status: Number(status) });
  }
}
