/** What is answered about import suppliers. */
import * as z from 'zod';
import { moment } from '../../http/answers';
import { SUPPLIER_STATUSES } from '../../suppliers';

export const supplier = z.object({
  organisation_id: z.string(),
  code: z.string(),
  name: z.string(),
  status: z.enum(SUPPLIER_STATUSES).nullable().meta({ description: 'Null where the stored status cannot be read by this release.' }),
  configuration: z
    .object({
      default_country: z.string(),
      documents_root: z.string().meta({ description: 'The folder of the bucket that document paths start in; the code unless given.' }),
      time_zone: z.string().meta({ description: 'IANA name: “today” of the open statement period is the date there.' }),
      send_customer_emails: z.boolean(),
      extra_charge_reasons: z.array(z.string()),
      extra_credit_reasons: z.array(z.string()),
      vendors: z.array(z.string()),
      payload_retention_days: z.int(),
      undo_hours: z.int(),
      event_retention_days: z.int(),
    })
    .nullable()
    .meta({ description: 'Null where the stored settings cannot be read by this release: give those that the 400 of a change names.' }),
  version: z
    .int()
    .meta({ description: 'Moves at each change; sent along with a change, it is refused once somebody else changed the supplier.' }),
  created_at: moment,
  modified_at: moment,
  import_processes: z.record(z.string(), z.int()).meta({ description: 'How many, by status.' }),
});

export const suppliers = z.array(supplier);
