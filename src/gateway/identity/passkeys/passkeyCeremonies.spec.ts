import { expect, test } from 'vitest'
import { relyingPartyAt } from './passkeyCeremonies.ts'

const https = 'https://console.example'
test.each<[string, string | undefined, boolean, unknown]>([
  ['localhost:8080', undefined, true, { id: 'localhost', origin: 'http://localhost:8080' }],
  ['console.example', https, true, { id: 'console.example', origin: https }],
  ['CONSOLE.example', https, true, { id: 'console.example', origin: https }],
  ['localhost:8080', https, true, { id: 'localhost', origin: 'http://localhost:8080' }],
  [
    '127.0.0.1:8080',
    undefined,
    true,
    'Passkeys need a host name instead of an IP address. Open the console as http://localhost:8080.',
  ],
  [
    '[::1]:8080',
    undefined,
    true,
    'Passkeys need a host name instead of an IP address. Open the console as http://localhost:8080.',
  ],
  ['127.0.0.1:8080', https, true, 'Passkeys need https. Open the console as https://console.example.'],
  ['10.0.0.5:8080', undefined, false, 'Passkeys need https. An administrator can set PUBLIC_URL to an https address.'],
  ['127.0.0.1:8080', undefined, false, 'Passkeys need https. An administrator can set PUBLIC_URL to an https address.'],
  ['10.0.0.5', 'https://10.0.0.5', false, 'Passkeys need a host name instead of an IP address.'],
  [
    'console.example',
    'http://console.example',
    true,
    'Passkeys need https. An administrator can set PUBLIC_URL to an https address.',
  ],
  [
    'localhost.evil.example',
    undefined,
    true,
    'Passkeys need https. An administrator can set PUBLIC_URL to an https address.',
  ],
])('at %s with PUBLIC_URL %s', (host, publicUrl, hasLocalhost, expected) => {
  expect(relyingPartyAt({ host, publicUrl, hasLocalhost })).toEqual(expected)
})
