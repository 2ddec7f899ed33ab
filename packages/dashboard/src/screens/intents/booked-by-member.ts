/** Whether a member booked the payment. The first part of a payment in two is booked by the buyer's page: nobody did it by hand. Pure. */
type Booked = {
  readonly manual_override: boolean
  readonly timeline: readonly { readonly kind: string; readonly by: { readonly kind: string } }[]
}

export const isBookedByMember = ({ manual_override, timeline }: Booked): boolean =>
  manual_override && !timeline.some(({ kind, by }) => kind === 'booked' && by.kind === 'buyer')
