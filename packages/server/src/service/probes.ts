/** What the doctor tries: whether the public address answers, and whether the mail server takes us. Each has a few seconds. */
import { type Finding, found } from '../doctor/finding.ts'

const patience_ms = 5_000

export const probePublicUrl = async (url: string): Promise<Finding> => {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(patience_ms), redirect: 'manual' })
    await answer.body?.cancel()
    return answer.status === 200
      ? found('public_url_answers', { url })
      : found('public_url_status', { url, status: answer.status })
  } catch (fault) {
    const { code, message } = ((fault as Error).cause ?? fault) as NodeJS.ErrnoException
    return found('public_url_silent', { url, reason: code ?? message })
  }
}

export const probeMail = async (url: string): Promise<Finding> => {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: patience_ms,
    greetingTimeout: patience_ms,
    socketTimeout: patience_ms,
  })
  try {
    await transport.verify()
    return found('mail_server_ok')
  } catch (fault) {
    const { code, responseCode } = fault as { code?: string; responseCode?: number }
    const reason = [code, responseCode].filter((one) => one !== undefined).join(' ') || 'no reason'
    return found('mail_server_refuses', { reason })
  } finally {
    transport.close()
  }
}
