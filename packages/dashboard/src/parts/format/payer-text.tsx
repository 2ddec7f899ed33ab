/** A claimed payer: the name and the phone, as far as they are known. */
export const PayerText = ({ payer }: { payer: { readonly name: string; readonly phone: string } }) => (
  <>
    {payer.name !== '' && <bdi>{payer.name}</bdi>}
    {payer.name !== '' && payer.phone !== '' && ' · '}
    {payer.phone !== '' && (
      <bdi dir="ltr" style={{ whiteSpace: 'nowrap' }}>
        {payer.phone}
      </bdi>
    )}
  </>
)
