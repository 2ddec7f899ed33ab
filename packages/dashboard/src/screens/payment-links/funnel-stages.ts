/** The buyers of a day by how far they came. Each is in one stage only, so the stages of a day add up to all who opened a link. Pure. */

export type FunnelDay = {
  readonly opened: number
  readonly started: number
  readonly chosen: number
  readonly sent: number
  readonly paid: number
  readonly paid_unsent: number
}

/** Paid; sent a reference and did not pay; chose a wallet and sent none; only opened the link. */
export const stagesOf = ({
  opened,
  chosen,
  sent,
  paid,
  paid_unsent,
}: FunnelDay): readonly [number, number, number, number] => {
  const unpaid = sent - (paid - paid_unsent)
  return [paid, unpaid, chosen - unpaid - paid, opened - chosen]
}
