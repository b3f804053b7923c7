/** How mail APIs are recognized: by their hosts, and by the fields that only their messages have. */

interface EmailMark {
  id: string
  /** Other addresses of the same API are on hosts below it. */
  host: string
  /** A message has all of them. */
  fields: readonly RegExp[]
}

const emailMarks: readonly EmailMark[] = [
  { id: 'postmark', host: 'api.postmarkapp.com', fields: [/"(?:TextBody|HtmlBody)"\s*:/] },
  { id: 'sendgrid', host: 'sendgrid.com', fields: [/"personalizations"\s*:/] },
  { id: 'brevo', host: 'api.brevo.com', fields: [/"(?:textContent|htmlContent)"\s*:/] },
  { id: 'resend', host: 'api.resend.com', fields: [/"from"\s*:\s*"/, /"subject"\s*:/, /"(?:text|html)"\s*:/] },
]

/** Whether a host is a domain or one of its subdomains. Both are in lower case. */
export const isHostBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** The gateway that an address leads to, or whose message a body is; undefined for none that is known. */
export function emailGatewayId({ host, body }: { host?: string; body?: string }): string | undefined {
  if (host) return emailMarks.find((mark) => isHostBelow(host, mark.host))?.id
  return body ? emailMarks.find(({ fields }) => fields.every((field) => field.test(body)))?.id : undefined
}
