import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainName, visibleText, withoutLinks } from './plain-name.ts'

test('names of shops and people are plain, in both languages', () => {
  for (const name of [
    'متجر الركن',
    'Corner Shop & Co. Ltd.',
    "O'Neill (Aden)",
    'souq.example',
    'A/B',
    'Shop #1',
    '24/7',
    'St.George',
    '\u200fمحل الركن\u200e',
  ])
    assert.ok(isPlainName(name), name)
})

test('a line break, a control character, a direction override and a link make a name that is not plain', () => {
  for (const name of [
    'a\nb',
    'a\r\nBcc: b',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\tb',
    'a\u001bb',
    'a\u202eb',
    'a\u202db',
    'a\u202ab',
    'a\u202bb\u202c',
    '\u2066a\u2069',
    'a\u2067',
    'a\u2068b',
  ])
    assert.ok(!isPlainName(name), JSON.stringify(name))
  for (const name of [
    'https://bad.example',
    'HTTP://BAD.EXAMPLE',
    'متجر ftp://bad.example',
    'www.bad.example',
    'متجرWWW.bad.example',
    'Sign in at bad.example/login',
    'bad.example:8080',
    'bad.example?next=1',
    'bad.example#x',
  ])
    assert.ok(!isPlainName(name), name)
})

test('a name of marks, spaces and characters without a shape is none', () => {
  for (const name of [
    '\u200f',
    '\u200e\u061c',
    '\u200b\u200d',
    '\u00a0',
    '\u3164',
    '\u2800',
    '\u00ad',
    '\u0301',
    '\ufeff',
  ])
    assert.ok(!isPlainName(name), JSON.stringify(name))
  assert.ok(isPlainName(''))
  assert.equal(visibleText('\u200fcl\u200bock\u00ad'), 'clock')
})

test('a name in an email holds no link, even if it was stored before names were checked', () => {
  assert.equal(withoutLinks('https://bad.example/login'), 'https bad. example/login')
  assert.equal(withoutLinks('Corner Shop Co. 2.50'), 'Corner Shop Co. 2.50')
})
