/** Whether a host is this machine itself, as a setting or a URL names it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host)
