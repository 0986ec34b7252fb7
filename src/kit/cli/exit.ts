/** How the program ends. */

/** Exit codes, as the README lists them. */
export const EXIT = { allDone: 0, someFailed: 1, usageOrAccess: 2, stopped: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command line, the configuration or a file is not as it must be; the message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

let controller: AbortController | undefined;

/** The signal that Ctrl-C aborts. A second Ctrl-C ends the program at once. */
export function stoppable(): AbortSignal {
  controller ??= stoppedByUser();
  return controller.signal;
}

function stoppedByUser(): AbortController {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.stopped);
    controller.abort(new Stopped());
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  return controller;
}

export class Stopped extends Error {
  override readonly name = 'Stopped';

  /** `advice` says how to go on. */
  constructor(advice = 'The same command goes on where this one ended; nothing is doubled.') {
    super(`Stopped. ${advice}`);
  }
}
