/** What forms are made of. */
import type { Child, FC } from 'hono/jsx';

/** A form that changes something. */
export const Form: FC<{ action: string; token: string; class?: string; children?: Child }> = ({ action, token, class: name, children }) => (
  <form method="post" action={action} class={name}>
    <input type="hidden" name="form_token" value={token} />
    {children}
  </form>
);

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly wrong?: string | undefined;
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly placeholder?: string;
  readonly mono?: boolean;
}

export const Field: FC<FieldProps> = ({ name, label, value, hint, wrong, required, autofocus, placeholder, mono }) => (
  <div class="field">
    <label for={`f-${name}`}>{label}</label>
    <input
      id={`f-${name}`}
      name={name}
      value={value ?? ''}
      required={required}
      autofocus={autofocus}
      placeholder={placeholder}
      autocomplete="off"
      class={mono ? 'mono' : undefined}
      aria-invalid={wrong ? 'true' : undefined}
      aria-describedby={wrong || hint ? `h-${name}` : undefined}
    />
    {wrong ? (
      <p class="wrong" id={`h-${name}`}>
        {wrong}
      </p>
    ) : hint ? (
      <p class="hint" id={`h-${name}`}>
        {hint}
      </p>
    ) : null}
  </div>
);

/** A box to tick. */
export const Check: FC<{ name: string; isOn: boolean; children?: Child }> = ({ name, isOn, children }) => (
  <label class="check">
    <input type="checkbox" name={name} value="true" checked={isOn} />
    <span>{children}</span>
  </label>
);

/** Errors by the field they belong to. */
export type Wrong = Readonly<Record<string, string>>;
