/**
 * A call of the log as a curl command, with a placeholder instead of the token. The body of a successful call is not
 * stored: the command then reads it from a file.
 */
import type { Answer } from '../../api/call.ts'

export type ApiCall = Answer<'listCalls'>['results'][number]
type CopiedCall = Pick<ApiCall, 'method' | 'path' | 'client_id' | 'request_body'>

/** Quotes for a shell. Inside single quotes only the quote itself has a meaning. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const withBody = /^(POST|PUT|PATCH)$/
const withoutQuery = (path: string): string => path.split('?')[0]!.replace(/\/$/, '')
const isTokenCall = ({ path }: CopiedCall): boolean => withoutQuery(path).endsWith('/merchant/token')
/** Besides the token request, only cancelling a checkout is a POST without a body. */
const hasBody = ({ method, path }: CopiedCall): boolean =>
  withBody.test(method) && !/\/cancel$/.test(withoutQuery(path))

/** What a developer has to provide before the command runs. */
export const curlNeeds = (call: CopiedCall): readonly ('secret' | 'token' | 'body')[] => {
  if (isTokenCall(call)) return ['secret']
  return hasBody(call) && call.request_body === '' ? ['token', 'body'] : ['token']
}

export const curlText = (call: CopiedCall, origin: string): string => {
  const { method, path, client_id, request_body } = call
  // Without -g, curl reads [ ] { } in an address as a pattern of several addresses.
  const program = /[[\]{}]/.test(path) ? 'curl -g' : 'curl'
  const lines = [`${program} ${method === 'GET' ? '' : `-X ${method} `}${quoted(origin + path)}`]
  if (isTokenCall(call))
    lines.push(`-H ${quoted(`Service-Client-Id: ${client_id}`)}`, '-H "Service-Client-Secret: $SANAD_CLIENT_SECRET"')
  else {
    lines.push('-H "Authorization: Bearer $SANAD_TOKEN"')
    if (hasBody(call))
      lines.push(
        "-H 'Content-Type: application/json'",
        // --data-raw: with -d, a body that begins with @ would be the name of a file to send.
        request_body === '' ? '-d @body.json' : `--data-raw ${quoted(request_body)}`,
      )
  }
  return lines.join(' \\\n  ')
}
