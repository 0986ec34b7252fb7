/** A progress bar on a terminal; plain lines, one for each tenth, anywhere else. */
const WIDTH = 32;

export function progressOf(name: string, total: number, out = process.stdout): { step(): void; end(): void } {
  const started = Date.now();
  let done = 0;
  let printed = 0;
  const line = () => {
    const seconds = (Date.now() - started) / 1_000;
    const rate = seconds > 0 ? (done / seconds).toFixed(0) : '0';
    return `${name.padEnd(11)} ${String(done).padStart(String(total).length)}/${total}  ${rate.padStart(4)}/s  ${seconds.toFixed(1)} s`;
  };
  const draw = () => {
    const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
    out.write(`\r${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${line()} `);
  };
  const print = () => {
    const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
    if (tenth === printed) return;
    printed = tenth;
    out.write(`${line()}\n`);
  };
  if (out.isTTY) draw();
  return {
    step() {
      done++;
      if (out.isTTY) draw();
      else print();
    },
    end() {
      if (out.isTTY) out.write('\n');
      else if (done < total || total === 0) out.write(`${line()}\n`);
    },
  };
}
