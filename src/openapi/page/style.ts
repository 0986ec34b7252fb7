/** How the reference page looks, and the little it does. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2421; --soft: #5a6661; --line: #dfe5e2; --paper: #ffffff; --panel: #f5f7f6; --accent: #1f6f5c; --get: #1f5f8f; --post: #1f6f5c; --patch: #8a5a00; --delete: #a3352b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e9e6; --soft: #9aa8a2; --line: #2c3632; --paper: #131816; --panel: #1a211e; --accent: #6cc5ab; --get: #7ab8e6; --post: #6cc5ab; --patch: #e0b15a; --delete: #ef8b80; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem; border-right: 1px solid var(--line); background: var(--panel); font-size: .875rem; }
nav .title { margin: 0 0 1rem; font-weight: 650; font-size: 1rem; } nav .title a, nav .tag a { color: var(--ink); }
nav .tag { margin: 1.1rem 0 .25rem; font-weight: 600; } nav ul { list-style: none; margin: 0; padding: 0; } nav li a { display: flex; gap: .5rem; padding: .16rem 0; color: var(--soft); line-height: 1.35; }
nav .method { flex: 0 0 3.1rem; font-size: .64rem; line-height: 1.2rem; text-align: right; }
main { padding: 2.5rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 62rem; min-width: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; } h2 { font-size: 1.4rem; margin: 3.5rem 0 .5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); } h3 { font-size: 1.1rem; margin: 0 0 .5rem; }
p, ul { max-width: 46rem; } section { margin: 2.25rem 0 0; } .operation + .operation { padding-top: 2.25rem; border-top: 1px dashed var(--line); }
.anchor { opacity: 0; font-weight: 400; } h3:hover .anchor, .anchor:focus { opacity: 1; }
.address { margin: 0 0 .75rem; } .address code { overflow-wrap: anywhere; } .body { margin: .75rem 0 .25rem; }
.method { font: 650 .78rem/1.4 ui-monospace, monospace; letter-spacing: .02em; } .method.get { color: var(--get); } .method.post { color: var(--post); } .method.put, .method.patch { color: var(--patch); } .method.delete { color: var(--delete); }
code { font: .875em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; } p code, td code, li code { background: var(--panel); border-radius: 4px; padding: .08em .3em; }
pre { position: relative; margin: .5rem 0 1rem; padding: .85rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; line-height: 1.3; } pre code { font-size: .82rem; line-height: inherit; }
pre button { position: absolute; top: .5rem; right: .5rem; font: inherit; font-size: .72rem; padding: .1rem .5rem; border: 1px solid var(--line); border-radius: 5px; background: var(--paper); color: var(--soft); cursor: pointer; opacity: 0; } pre:hover button, pre button:focus { opacity: 1; }
details { margin: .35rem 0; } summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0 1rem; font-size: .9rem; } caption { text-align: left; font-weight: 600; padding: .25rem 0; } td, th { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields td:nth-child(1) { width: 32%; } .fields td:nth-child(2) { width: 30%; color: var(--soft); } .fields em { color: var(--delete); font-style: normal; margin-left: .15rem; } .d1 { padding-left: 1.25rem; } .d2 { padding-left: 2.5rem; } .d3 { padding-left: 3.75rem; }
.answers td:first-child { width: 4rem; } .status { font: 650 .85rem ui-monospace, monospace; } .s2 { color: var(--post); } .s4 { color: var(--patch); } .s5 { color: var(--delete); } .shape, .with { color: var(--soft); font-size: .85rem; }
.codes td:first-child { width: 34%; } .group th { padding-top: 1.5rem; border-top: 0; color: var(--soft); font-weight: 600; }
tr:target, section:target > h3 { background: color-mix(in srgb, var(--accent) 14%, transparent); }
@media (max-width: 56rem) { body { display: block; } nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); } main { padding-top: 1.5rem; } td { padding-right: .5rem; } .fields td:nth-child(1), .fields td:nth-child(2) { width: auto; } pre button { opacity: 1; } }
@media print { nav, pre button { display: none; } body { display: block; } }
`;

export const SCRIPT = `
document.addEventListener('click', async (event) => {
  const button = event.target.closest('pre button');
  if (!button) return;
  await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
});
`;
