import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PairingRefusal, type PairingTarget, readPairing } from './pairing-link.ts'

test('a link is read; a code alone needs the address of the installation; anything else is refused', () => {
  const table: [pasted: string, known: string | undefined, expected: PairingTarget | PairingRefusal][] = [
    ['https://sanad.example/pair#c=7K3MQ2XV9D', undefined, { origin: 'https://sanad.example', code: '7K3MQ2XV9D' }],
    [" 'https://sanad.example/pair#c=7K3MQ2XV9D' ", undefined, { origin: 'https://sanad.example', code: '7K3MQ2XV9D' }],
    [
      'https://a.example:8443/pay/pair/#c=7K3MQ2XV9D',
      undefined,
      { origin: 'https://a.example:8443/pay', code: '7K3MQ2XV9D' },
    ],
    ['7K3MQ-2XV9D', 'https://sanad.example', { origin: 'https://sanad.example', code: '7K3MQ-2XV9D' }],
    ['7K3MQ2XV9D', undefined, 'no_address'],
    ['https://sanad.example/pair', undefined, 'no_code'],
    ['', 'https://sanad.example', 'no_code'],
    ['hello', undefined, 'no_code'],
    ['http://sanad.example/pair#c=7K3MQ2XV9D', undefined, 'not_encrypted'],
    ['http://127.0.0.1:8080/pair#c=7K3MQ2XV9D', undefined, { origin: 'http://127.0.0.1:8080', code: '7K3MQ2XV9D' }],
    ['http://192.168.1.5:8080/pair#c=7K3MQ2XV9D', undefined, { origin: 'http://192.168.1.5:8080', code: '7K3MQ2XV9D' }],
    ['http://192.168.1.5.evil.example/pair#c=7K3MQ2XV9D', undefined, 'not_encrypted'],
  ]
  for (const [pasted, known, expected] of table) assert.deepEqual(readPairing(pasted, known), expected, pasted)
})
