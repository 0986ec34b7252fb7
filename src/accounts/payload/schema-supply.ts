import * as z from 'zod';
import { boolean, date, dateOrDatetime, line, optional } from '../../shared/fields';
import { address, addressLine, MAX_TEXT, many } from './schema-common';

const agreementItem = z.object({
  tariff_code: optional(line(MAX_TEXT)),
  effective_from: optional(dateOrDatetime),
  effective_to: optional(dateOrDatetime),
});

/** One of `identifier` and `mpxn` names the meter point. Meters, registers and whatever else it has are stored as sent. */
export const meterPointItem = z.looseObject({
  identifier: optional(line(MAX_TEXT)),
  mpxn: optional(line(MAX_TEXT)),
  supply_start_date: date,
  supply_end_date: optional(date),
  supply_type: optional(line(MAX_TEXT)),
  agreements: many(agreementItem),
});

export const supplyAddressItem = z.object({
  supply_address: optional(address),
  supply_address1: addressLine,
  supply_address2: addressLine,
  supply_address3: addressLine,
  supply_address4: addressLine,
  supply_address5: addressLine,
  supply_postcode: addressLine,
  customer_at_supply_address_from_date: date,
  customer_at_supply_address_to_date: optional(date),
  is_landlord: optional(boolean),
  meter_points: many(meterPointItem),
});
