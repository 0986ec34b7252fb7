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

  const clockShort = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
  const dayShort = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

  /** Imports over time: two rows of bars. They are drawn from what the figures above came with, so both agree. */
  function chart(holder) {
    let plot;
    let spans;
    let data;
    const told = document.getElementById('chart-told');
    const tip = document.createElement('div');
    tip.className = 'tip small';
    tip.hidden = true;
    const name = (seconds) => {
      const moment = new Date(seconds * 1000);
      const isToday = moment.toDateString() === new Date().toDateString();
      if (spans.width >= 1440) return dayShort.format(moment);
      return isToday ? clockShort.format(moment) : `${dayShort.format(moment)}, ${clockShort.format(moment)}`;
    };
    const say = (i) => {
      const end = data[0][i] + spans.width * 60;
      const when = spans.width === 1 ? name(data[0][i]) : `${name(data[0][i])} – ${name(end)}`;
      return `${when}: ${spans.processed[i].toLocaleString()} imported, ${spans.errored[i].toLocaleString()} errored`;
    };
    const hover = (i) => {
      tip.hidden = i == null;
      if (i == null) return;
      tip.textContent = say(i);
      const left = plot.valToPos(data[0][i], 'x') + plot.bbox.left / devicePixelRatio;
      tip.style.left = `${Math.max(0, Math.min(left - tip.offsetWidth / 2, holder.clientWidth - tip.offsetWidth))}px`;
    };
    const draw = () => {
      const bars = uPlot.paths.bars({ size: [0.72, 18], radius: 0.25 });
      const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px Inter, sans-serif' };
      const series = (label) => ({ label, fill: colour(`--${label}`), stroke: colour(`--${label}`), width: 0, paths: bars, points: { show: false } });
      const options = {
        width: holder.clientWidth,
        height: 210,
        padding: [6, 28, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        hooks: { setCursor: [(one) => one.cursor.event && hover(one.cursor.idx)] },
        scales: {
          x: { time: true, range: (_, min, max) => [min - spans.width * 40, max + spans.width * 40] },
          y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.15))] },
        },
        axes: [
          { ...axis, grid: { show: false }, space: 70, values: (_, ticks) => ticks.map((tick) => (spans.width < 180 ? clockShort : dayShort).format(tick * 1000)) },
          { ...axis, size: 46, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000], values: (_, ticks) => ticks.map((tick) => tick.toLocaleString()) },
        ],
        series: [{}, series('imported'), series('errored')],
      };
      plot?.destroy();
      plot = new uPlot(options, data, holder);
      holder.append(tip);
    };
    const sum = (list) => list.reduce((total, count) => total + count, 0).toLocaleString();
    const RANGES = { '1h': 'in the last hour', '24h': 'in the last 24 hours', all: 'since the first import' };
    const read = () => {
      const text = document.getElementById('live').dataset.spans;
      if (holder.dataset.drawn === text) return;
      holder.dataset.drawn = text;
      const isAsBefore = plot && spans.width === JSON.parse(text).width;
      spans = JSON.parse(text);
      data = [
        spans.processed.map((_, i) => (spans.since + i * spans.width) * 60),
        spans.processed.map((count, i) => count + spans.errored[i]),
        spans.errored,
      ];
      if (isAsBefore) plot.setData(data);
      else draw();
      const range = document.querySelector('#range input:checked').value;
      const width = spans.width === 1 ? 'minute' : spans.width < 60 ? `${spans.width} minutes` : spans.width < 1440 ? `${spans.width / 60} h` : `${spans.width / 1440} d`;
      told.textContent = `${sum(spans.processed)} imported and ${sum(spans.errored)} errored ${RANGES[range]}; a bar is ${width === 'minute' ? 'a minute' : width}.`;
    };
    /* The values with the keyboard: left and right from the newest bar. */
    let at;
    holder.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      at = Math.max(0, Math.min((at ?? data[0].length) + step, data[0].length - 1));
      hover(at);
      told.textContent = say(at);
    });
    holder.addEventListener('blur', () => hover(null));
    new ResizeObserver(() => plot?.setSize({ width: holder.clientWidth, height: 210 })).observe(holder);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
    read();
    return read;
  }

  /** The table of suppliers: searched, filtered and sorted here, as the address says, and again after each look at the numbers. */
  function suppliers(wanted) {
    const shown = document.getElementById('shown');
    const show = document.getElementById('show');
    const state = new URLSearchParams(location.search);
    wanted.value = state.get('wanted') ?? '';
    show.value = state.get('show') ?? '';
    let [column, direction] = (state.get('sort') ?? '').split(' ');
    const valueOf = (row) => {
      const cell = row.cells[column];
      const text = cell.querySelector('svg')?.dataset.share ?? cell.textContent.trim();
      const number = Number.parseFloat(text.replaceAll(',', ''));
      return Number.isNaN(number) ? text.toLowerCase() : number;
    };
    const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? 1 : -1);
    const apply = () => {
      const table = document.querySelector('[data-list]');
      if (!table) return;
      const text = wanted.value.trim().toLowerCase();
      const body = table.tBodies[0];
      if (direction) {
        const sign = direction === 'descending' ? -1 : 1;
        body.append(...[...body.rows].map((row) => [valueOf(row), row]).sort(([a], [b]) => sign * compare(a, b)).map(([, row]) => row));
        table.tHead.rows[0].cells[column].ariaSort = direction;
      }
      let found = 0;
      for (const row of body.rows) {
        row.hidden = !row.cells[0].textContent.toLowerCase().includes(text) || (show.value !== '' && !row.dataset.is.split(' ').includes(show.value));
        if (!row.hidden) found++;
      }
      shown.textContent = found === body.rows.length ? '' : `${found} of ${body.rows.length} shown`;
    };
    const changed = () => {
      const next = Object.entries({ wanted: wanted.value, show: show.value, sort: direction ? `${column} ${direction}` : '' }).filter(([, value]) => value);
      history.replaceState(null, '', next.length > 0 ? `?${new URLSearchParams(next)}` : location.pathname);
      apply();
    };
    wanted.addEventListener('input', changed);
    show.addEventListener('change', changed);
    document.addEventListener('click', (event) => {
      const sorter = event.target instanceof Element ? event.target.closest('.sort') : undefined;
      if (!sorter) return;
      const index = String(sorter.parentElement.cellIndex);
      /* Words from A, numbers from the largest; again turns it, once more is the order of attention. */
      const [first, second] = Number(index) < 2 ? ['ascending', 'descending'] : ['descending', 'ascending'];
      direction = index !== column || !direction ? first : direction === first ? second : undefined;
      column = index;
      changed();
      if (!direction) htmx.trigger('#live', 'again');
    });
    apply();
    return apply;
  }

  /* One key leads to the search of every page. */
  const search = document.querySelector('.search input');
  if (search) {
    search.setAttribute('aria-keyshortcuts', '/');
    search.placeholder += '  ( / )';
  }
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !search) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  document.addEventListener('change', (event) => {
    const all = event.target instanceof Element ? event.target.closest('[data-all]') : undefined;
    if (all) for (const box of document.querySelectorAll(`input[form="${all.dataset.all}"]`)) box.checked = all.checked;
  });

  localTimes(document);
  const holder = document.getElementById('chart');
  const wanted = document.getElementById('wanted');
  const again = [holder && chart(holder), wanted && suppliers(wanted)].filter(Boolean);
  /* Before anybody sees what was swapped in. */
  document.addEventListener('htmx:afterSwap', () => {
    for (const apply of again) apply();
  });
})();
