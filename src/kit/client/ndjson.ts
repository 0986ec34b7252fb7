/** Lines of JSON out of a stream of bytes. */

/** Yields each line that is not blank, as it becomes whole. What follows the last line feed counts as a line. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') yield line;
      if (done) return;
    }
  } finally {
    // Left early by the reader of the lines: the rest of the answer is of no use.
    await reader.cancel().catch(() => undefined);
  }
}
