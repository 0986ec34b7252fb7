/** The payment vendors that confirm payment instructions (§4.4). SANDBOX exists where the operator allows it. */
export const VENDORS = ['STRIPE', 'GOCARDLESS', 'SANDBOX'] as const;
export type Vendor = (typeof VENDORS)[number];
