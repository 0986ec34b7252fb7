/** The run that the accounts of an import join. */
export interface RunOfImport {
  readonly name: string;
  /** Between sending and waiting; false: there is nothing to wait for. */
  readonly beforeWaiting: () => Promise<boolean>;
  /** True where the run holds itself, so that nothing more will end. */
  readonly isStopped: () => Promise<boolean>;
}
