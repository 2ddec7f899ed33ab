/** Each call of the checkout API as a command and with the SDK. A test runs all of them against the service, in this order. */
import { type CodeSample, curl, json, sdk, token } from '../merchant-openapi/code-samples.ts'

const samples = {
  createCheckout: [
    curl(
      'curl -X POST $CHECKOUT_URL/sessions/',
      token,
      json,
      `-H "SERVICE-IDEMPOTENCY-KEY: $KEY"`,
      `-d '{"amount": "1500.00", "external_order_id": "ORDER-1042", "return_url": "https://shop.example.com/thanks"}'`,
    ),
    sdk(
      'const checkout = await sanad.checkouts.create(',
      "  { amount: '1500.00', external_order_id: 'ORDER-1042', return_url: 'https://shop.example.com/thanks' },",
      '  { idempotencyKey: crypto.randomUUID() }, // Store it with the order before the call.',
      ')',
      'console.log(checkout.url) // Send the buyer there.',
    ),
  ],
  listCheckouts: [
    curl(`curl "$CHECKOUT_URL/sessions/?status=OPEN,COMPLETE"`, token),
    sdk(
      "for await (const one of sanad.checkouts.list({ status: ['OPEN', 'COMPLETE'] })) {",
      '  console.log(one.external_order_id, one.status)',
      '}',
    ),
  ],
  retrieveCheckout: [
    curl('curl $CHECKOUT_URL/sessions/$CHECKOUT/', token),
    sdk('const { status, paid } = await sanad.checkouts.retrieve(checkout.id)'),
  ],
  cancelCheckout: [
    curl('curl -X POST $CHECKOUT_URL/sessions/$CHECKOUT/cancel/', token),
    sdk('const cancelled = await sanad.checkouts.cancel(checkout.id)'),
  ],
  createLink: [
    curl('curl -X POST $CHECKOUT_URL/links/', token, json, `-d '{"amount": "2500.00", "description": "Delivery"}'`),
    sdk("const link = await sanad.links.create({ amount: '2500.00', description: 'Delivery' })"),
  ],
  listLinks: [
    curl('curl $CHECKOUT_URL/links/', token),
    sdk('for await (const one of sanad.links.list()) console.log(one.description, one.active)'),
  ],
  retrieveLink: [
    curl('curl $CHECKOUT_URL/links/$LINK/', token),
    sdk('const { active } = await sanad.links.retrieve(link.id)'),
  ],
  changeLink: [
    curl('curl -X PATCH $CHECKOUT_URL/links/$LINK/', token, json, `-d '{"active": false}'`),
    sdk('const off = await sanad.links.update(link.id, { active: false })'),
  ],
} as const satisfies Readonly<Record<string, readonly CodeSample[]>>

export const checkoutSamples: Readonly<Record<string, readonly CodeSample[]>> = samples
