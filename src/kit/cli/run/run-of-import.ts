import type { ListedImportProcess } from '../../client';
import type { Progress } from '../progress';

/** The run that the accounts of an import join. */
export interface RunOfImport {
  readonly name: string;
  readonly supplier: string;
  /** Between sending and waiting; false: there is nothing to wait for. */
  readonly beforeWaiting: (progress: Progress) => Promise<boolean>;
  /** True where the run holds itself, so that nothing more will end. */
  readonly isStopped: () => Promise<boolean>;
  /** Every account of the run with what became of it. */
  readonly accounts: () => AsyncIterable<ListedImportProcess>;
}
