import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDatabaseUrl } from './database-url.ts'

const urls = (url: string): readonly string[] => {
  const read = readDatabaseUrl(url)
  return read.ok ? read.urls : [read.error]
}

test('a URL with one host stays as it is', () => {
  for (const url of [
    'postgresql://sanad@127.0.0.1/sanad',
    'postgres://sanad:p%40ss@db.example.com:5433/sanad',
    'postgresql://sanad@/sanad?host=%2Frun%2Fpostgresql&port=5433',
  ])
    assert.deepEqual(urls(url), [url])
})

test('several hosts become a URL each, with user, password, database and settings', () => {
  assert.deepEqual(
    urls('postgresql://u:p,w@h1:5432,[2001:db8::1]:5433,h3/db?target_session_attrs=read-write&sslmode=disable'),
    [
      'postgresql://u:p,w@h1:5432/db?sslmode=disable',
      'postgresql://u:p,w@[2001:db8::1]:5433/db?sslmode=disable',
      'postgresql://u:p,w@h3/db?sslmode=disable',
    ],
  )
})

test('hosts and ports may be query parameters, as for sockets', () => {
  assert.deepEqual(urls('postgresql://u@/db?host=/a,/b&port=5432,5433'), [
    'postgresql://u@/db?host=%2Fa&port=5432',
    'postgresql://u@/db?host=%2Fb&port=5433',
  ])
  assert.deepEqual(urls('postgresql://u@/db?host=a,b&port=5433'), [
    'postgresql://u@/db?host=a&port=5433',
    'postgresql://u@/db?host=b&port=5433',
  ])
})

test('parameters for libpq alone are removed, also with one host', () => {
  assert.deepEqual(urls('postgresql://u@h/db?target_session_attrs=primary&connect_timeout=3'), ['postgresql://u@h/db'])
})

test('an invalid URL is refused with a reason', () => {
  const wrong = (url: string): string => urls(url)[0]!
  assert.match(wrong('mysql://u@h/db'), /is not a URL/)
  assert.match(wrong('postgresql://u@h1,h2/db?target_session_attrs=standby'), /needs read-write/)
  assert.match(wrong('postgresql://u@h1,,h2/db'), /empty host/)
  assert.match(wrong('postgresql://u@h1/db?host=a,b'), /lists hosts twice/)
  assert.match(wrong('postgresql://u@/db?host=a,b,c&port=1,2'), /another number of ports/)
  assert.match(wrong(`postgresql://u@${Array(11).fill('h').join()}/db`), /more than 10/)
})
