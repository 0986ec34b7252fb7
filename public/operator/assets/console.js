/* What the console does in the browser beside htmx: local times, dialogs, copying, the chart. No inline code anywhere. */
(() => {
  const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

  /** Times in the viewer's zone; UTC stays in the title. */
  function localTimes(root) {
    for (const time of root.querySelectorAll('time[datetime]:not([data-local])')) {
      const moment = new Date(time.dateTime);
      const isToday = moment.toDateString() === new Date().toDateString();
      time.textContent = isToday ? clock.format(moment) : `${day.format(moment)}, ${clock.format(moment)}`;
      time.dataset.local = '';
    }
  }

  /* A page nobody looks at asks for nothing. */
  document.addEventListener('htmx:beforeRequest', (event) => {
    if (document.hidden && event.detail.elt.dataset.live !== undefined) event.preventDefault();
  });

  /* The session ended: sign in again instead of swapping a login page into a corner. */
  document.addEventListener('htmx:beforeSwap', (event) => {
    if (event.detail.xhr.status === 401) {
      event.preventDefault();
      location.reload();
    }
    if (event.detail.xhr.status === 400 || event.detail.xhr.status === 409) event.detail.shouldSwap = true;
  });

  document.addEventListener('htmx:afterSettle', (event) => {
    localTimes(document);
    const dialog = document.getElementById('dialog');
    if (event.detail.target === dialog && dialog.childElementCount > 0 && !dialog.open) dialog.showModal();
  });

  document.addEventListener('click', async (event) => {
    const element = event.target instanceof Element ? event.target : undefined;
    const dialog = document.getElementById('dialog');
    if (dialog?.open && (element === dialog || element?.closest('[data-close]'))) {
      event.preventDefault();
      dialog.close();
    }
    const copier = element?.closest('[data-copy]');
    if (copier) {
      await navigator.clipboard.writeText(document.getElementById(copier.dataset.copy).textContent.trim());
      const label = copier.textContent;
      copier.textContent = 'Copied';
      setTimeout(() => {
        copier.textContent = label;
      }, 1600);
    }
  });

  const colour = (name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };

  /** Imports per minute: two rows of bars, read again every few seconds. */
  function chart(holder) {
    let plot;
    const bars = uPlot.paths.bars({ size: [0.72, 18], radius: 0.25 });
    const draw = (data) => {
      const axis = { stroke: colour('--faint'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px Inter, sans-serif' };
      const options = {
        width: holder.clientWidth,
        height: 210,
        padding: [6, 28, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: { x: { time: true, range: (_, min, max) => [min - 40, max + 40] }, y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.15))] } },
        axes: [
          { ...axis, grid: { show: false }, space: 70, values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })) },
          { ...axis, size: 46, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000], values: (_, ticks) => ticks.map((tick) => tick.toLocaleString()) },
        ],
        series: [
          {},
          { label: 'imported', fill: colour('--imported'), stroke: colour('--imported'), width: 0, paths: bars, points: { show: false } },
          { label: 'errored', fill: colour('--errored'), stroke: colour('--errored'), width: 0, paths: bars, points: { show: false } },
        ],
      };
      plot?.destroy();
      plot = new uPlot(options, data, holder);
    };
    let last = [[], [], []];
    const told = document.getElementById('chart-told');
    const read = async () => {
      if (document.hidden && plot) return;
      const answer = await fetch(holder.dataset.chart, { headers: { Accept: 'application/json' } }).catch(() => undefined);
      if (!answer?.ok) return;
      const { minutes, processed, errored } = await answer.json();
      last = [minutes, processed.map((count, i) => count + errored[i]), errored];
      if (plot) plot.setData(last);
      else draw(last);
      const sum = (list) => list.reduce((total, count) => total + count, 0).toLocaleString();
      if (told) told.textContent = `${sum(processed)} imported and ${sum(errored)} errored in the last hour`;
    };
    new ResizeObserver(() => plot?.setSize({ width: holder.clientWidth, height: 210 })).observe(holder);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(last));
    read();
    setInterval(read, 4000);
  }

  localTimes(document);
  const holder = document.querySelector('[data-chart]');
  if (holder) chart(holder);
})();
