/**
 * A call of the log as a curl command, with a placeholder instead of the token. A successful call's body is not kept: the command
 * then reads it from a file.
 */
import type { Answer } from '../../api/call.ts'

export type ApiCall = Answer<'listCalls'>['results'][number]

/** For a shell: in single quotes nothing has a meaning but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const withBody = /^(POST|PUT|PATCH)$/

export const curlText = (
  { method, path, client_id, request_body }: Pick<ApiCall, 'method' | 'path' | 'client_id' | 'request_body'>,
  origin: string,
): string => {
  const lines = [method === 'GET' ? `curl ${quoted(origin + path)}` : `curl -X ${method} ${quoted(origin + path)}`]
  if (path.split('?')[0]!.replace(/\/$/, '').endsWith('/merchant/token'))
    lines.push(`-H ${quoted(`Service-Client-Id: ${client_id}`)}`, '-H "Service-Client-Secret: $SANAD_CLIENT_SECRET"')
  else {
    lines.push('-H "Authorization: Bearer $SANAD_TOKEN"')
    if (withBody.test(method))
      lines.push(
        "-H 'Content-Type: application/json'",
        request_body === '' ? '-d @body.json' : `-d ${quoted(request_body)}`,
      )
  }
  return lines.join(' \\\n  ')
}
