import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import { May } from './may';
import type { Session } from './session';

/** Set for htmx by markup, because the Content-Security-Policy lets nothing inline run. */
const HTMX = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  historyCacheSize: 0,
  defaultSwapStyle: 'outerHTML',
});

const PLACES = [
  ['Overview', '/operator/', 'read'],
  ['Alerts', '/operator/alerts/', 'read'],
  ['Organisations', '/operator/organisations/', 'read'],
  ['Dead letters', '/operator/dead-letters/', 'read'],
  ['Audit', '/operator/audit/', 'read'],
  ['Tokens', '/operator/operator-tokens/', 'administer'],
] as const;
export type Place = (typeof PLACES)[number][0];

export const Mark: FC = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect class="mark-a" x="2" y="4" width="12" height="4" rx="2" />
    <rect class="mark-b" x="2" y="10" width="20" height="4" rx="2" />
    <rect class="mark-a" x="2" y="16" width="8" height="4" rx="2" />
  </svg>
);

const Document: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="htmx-config" content={HTMX} />
        <title>{title} · Account Data Import</title>
        <link rel="icon" href="/favicon.ico" />
        <link rel="stylesheet" href="/operator/assets/uplot.min.css" />
        <link rel="stylesheet" href="/operator/assets/console.css" />
        <script src="/operator/assets/htmx.min.js" defer />
        <script src="/operator/assets/uplot.min.js" defer />
        <script src="/operator/assets/console.js" defer />
      </head>
      <body>{children}</body>
    </html>
  </>
);

export interface PageProps {
  readonly title: string;
  readonly place: Place;
  readonly session: Session;
  /** What just happened, shown once. */
  readonly notice?: string | undefined;
  /** What is searched for. */
  readonly search?: string;
  readonly children?: Child;
}

/** A page of the console for somebody who is signed in. */
export const Page: FC<PageProps> = ({ title, place, session, notice, search = '', children }) => (
  <Document title={title}>
    <a class="skip" href="#main">
      Skip to content
    </a>
    <header class="top">
      <div class="top-in">
        <a class="brand" href="/operator/">
          <Mark />
          Account Data Import
        </a>
        <nav class="nav" aria-label="Console">
          {PLACES.map(([name, href, needs]) => (
            <May role={session.role} needs={needs}>
              <a href={href} aria-current={name === place ? 'page' : undefined}>
                {name}
              </a>
            </May>
          ))}
        </nav>
        <search class="search">
          <form method="get" action="/operator/accounts/">
            <input
              name="search"
              type="search"
              value={search}
              placeholder="Find an account"
              aria-label="Find an account by platform number, identifier or external number"
              autocomplete="off"
              spellcheck={false}
              required
            />
          </form>
        </search>
        <div class="who">
          <span class="actor" title={`role ${session.role}`}>
            {session.actor}
          </span>
          {session.isOurs ? (
            <form method="post" action="/operator/sign-out/">
              <input type="hidden" name="form_token" value={session.formToken} />
              <button type="submit" class="plain">
                Sign out
              </button>
            </form>
          ) : null}
        </div>
      </div>
    </header>
    <main class="page" id="main">
      {notice ? (
        <p class="note good" role="status">
          {notice}
        </p>
      ) : null}
      {children}
    </main>
    <dialog id="dialog" aria-labelledby="ask-title" />
  </Document>
);

/** A page without a session: sign in, or what went wrong. */
export const BarePage: FC<{ title: string; children?: Child }> = ({ title, children }) => (
  <Document title={title}>
    <main class="sign-in">
      <div class="sign-in-in">
        <div class="brand">
          <Mark />
          Account Data Import
        </div>
        <div class="card">
          <div class="card-body">{children}</div>
        </div>
      </div>
    </main>
  </Document>
);

export const Crumbs: FC<{ path: readonly (readonly [name: string, href: string])[] }> = ({ path }) => (
  <nav class="crumbs" aria-label="Where you are">
    {path.map(([name, href], i) => (
      <>
        {i > 0 ? <span aria-hidden="true">/</span> : null}
        <a href={href}>{name}</a>
      </>
    ))}
  </nav>
);
