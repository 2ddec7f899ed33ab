<?php

declare(strict_types=1);

namespace Sanad;

/** Every code that an error of the service can have. Written by `npm run dumps`: do not edit. */
final class ErrorCode
{
    public const REQUIRED = 'required';
    public const NULL = 'null';
    public const BLANK = 'blank';
    public const INVALID = 'invalid';
    public const MAX_LENGTH = 'max_length';
    public const NULL_CHARACTERS_NOT_ALLOWED = 'null_characters_not_allowed';
    public const SURROGATE_CHARACTERS_NOT_ALLOWED = 'surrogate_characters_not_allowed';
    public const MIN_VALUE = 'min_value';
    public const MAX_VALUE = 'max_value';
    public const MAX_DECIMAL_PLACES = 'max_decimal_places';
    public const MAX_WHOLE_DIGITS = 'max_whole_digits';
    public const MAX_DIGITS = 'max_digits';
    public const MAX_STRING_LENGTH = 'max_string_length';
    public const NOT_A_LIST = 'not_a_list';
    public const INVALID_CHOICE = 'invalid_choice';
    public const DOES_NOT_EXIST = 'does_not_exist';
    public const WALLET_NOT_MONITORED = 'wallet_not_monitored';
    public const CURRENCY_MISMATCH = 'currency_mismatch';
    public const QUOTA_EXCEEDED = 'quota_exceeded';
    public const INTENT_NOT_PENDING = 'intent_not_pending';
    public const REFERENCE_ALREADY_USED = 'reference_already_used';
    public const REFERENCE_LIMIT = 'reference_limit';
    public const IDEMPOTENCY_KEY_REUSED = 'idempotency_key_reused';
    public const PARSE_ERROR = 'parse_error';
    public const NOT_AUTHENTICATED = 'not_authenticated';
    public const AUTHENTICATION_FAILED = 'authentication_failed';
    public const PERMISSION_DENIED = 'permission_denied';
    public const NOT_FOUND = 'not_found';
    public const METHOD_NOT_ALLOWED = 'method_not_allowed';
    public const IDEMPOTENCY_IN_PROGRESS = 'idempotency_in_progress';
    public const REQUEST_TOO_LARGE = 'request_too_large';
    public const UNSUPPORTED_MEDIA_TYPE = 'unsupported_media_type';
    public const THROTTLED = 'throttled';
    public const ERROR = 'error';
    public const UNAVAILABLE = 'unavailable';
    public const CHECKOUT_NOT_OPEN = 'checkout_not_open';
    public const LINK_LIMIT = 'link_limit';
}
