/** The text that is printed after the start: the addresses of the service, and the first commands to try. */
import type { Config } from '../../config.ts'
import type { Demo } from '../shop/demo.ts'

export const welcome = (config: Config, origin: string, demo: Demo | undefined): string[] => {
  if (config.role === 'work') return ['Sanad works in the background. Stop it with Ctrl-C.']
  const lines = [
    '',
    `Sanad is ready at ${origin}`,
    `  Dashboard       ${origin}/`,
    `  Guide           ${origin}/docs/guide`,
    `  API reference   ${origin}/docs`,
    `  Health          ${origin}/readyz`,
  ]
  if (demo !== undefined) {
    lines.push(
      '',
      'This is the first start, so a demo shop was made. Its secrets are shown only now:',
      `  Sign-in         ${demo.dashboard.email}  ${demo.dashboard.password}`,
      `  Client id       ${demo.client_id}`,
      `  Client secret   ${demo.client_secret}`,
      '',
      'Try it: a token, the wallets, a first payment intent.',
      '',
      `  TOKEN=$(curl -s -X POST ${demo.base_url}/token -H 'SERVICE-CLIENT-ID: ${demo.client_id}' -H 'SERVICE-CLIENT-SECRET: ${demo.client_secret}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
      `  curl -s ${demo.base_url}/wallets/ -H "Authorization: Bearer $TOKEN"`,
      `  curl -s ${demo.base_url}/intents/ -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"wallet": "${demo.wallets.main}", "amount": "1500.00", "external_order_id": "order-1"}'`,
    )
  } else if (!config.production) {
    lines.push('', 'More secrets to try things with: npx --no sanad demo')
  }
  return [...lines, '', 'Stop it with Ctrl-C.', '']
}
