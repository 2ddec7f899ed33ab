import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBookedByMember } from './booked-by-member.ts'

const booked = (by: string, manual_override = true) => ({
  manual_override,
  timeline: [
    { kind: 'created', by: { kind: 'buyer' } },
    { kind: 'booked', by: { kind: by } },
  ],
})

test('a payment that a member booked is booked by hand; one that the page of the buyer booked is not', () => {
  assert.equal(isBookedByMember(booked('person')), true)
  assert.equal(isBookedByMember(booked('key')), true)
  assert.equal(isBookedByMember(booked('buyer')), false)
  assert.equal(isBookedByMember(booked('alert', false)), false)
})
