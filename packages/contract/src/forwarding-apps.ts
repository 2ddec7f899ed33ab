/** The names of the forwarding apps of other makers, in every language. */
export const forwardingAppNames: Readonly<Record<string, string>> = {
  smsgate: 'SMS Gateway',
  'sms-to-url': 'Incoming SMS to URL Forwarder',
  'sms-forwarder': 'SmsForwarder',
}
