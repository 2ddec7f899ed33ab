# The vectors on workerd, without its Node compatibility: `workerd test workerd.capnp`.
using Workerd = import "/workerd/workerd.capnp";

const vectors :Workerd.Config = (
  services = [(name = "vectors", worker = .worker)],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "test/worker.js", esModule = embed "worker.js"),
    (name = "test/check-vectors.js", esModule = embed "check-vectors.js"),
    (name = "test/vectors.js", esModule = embed "vectors.js"),
    (name = "test/check-client.js", esModule = embed "check-client.js"),
    (name = "src/testing.js", esModule = embed "../src/testing.js"),
    (name = "src/testing/answers.js", esModule = embed "../src/testing/answers.js"),
    (name = "src/testing/checkout-calls.js", esModule = embed "../src/testing/checkout-calls.js"),
    (name = "src/testing/checkouts.js", esModule = embed "../src/testing/checkouts.js"),
    (name = "src/testing/described.js", esModule = embed "../src/testing/described.js"),
    (name = "src/testing/ledger.js", esModule = embed "../src/testing/ledger.js"),
    (name = "src/testing/list.js", esModule = embed "../src/testing/list.js"),
    (name = "src/testing/merchant-calls.js", esModule = embed "../src/testing/merchant-calls.js"),
    (name = "src/testing/read-body.js", esModule = embed "../src/testing/read-body.js"),
    (name = "src/sdk.js", esModule = embed "../src/sdk.js"),
    (name = "src/amounts.js", esModule = embed "../src/amounts.js"),
    (name = "src/arguments.js", esModule = embed "../src/arguments.js"),
    (name = "src/calls.js", esModule = embed "../src/calls.js"),
    (name = "src/checkout.js", esModule = embed "../src/checkout.js"),
    (name = "src/checkouts.js", esModule = embed "../src/checkouts.js"),
    (name = "src/client.js", esModule = embed "../src/client.js"),
    (name = "src/errors.js", esModule = embed "../src/errors.js"),
    (name = "src/intents.js", esModule = embed "../src/intents.js"),
    (name = "src/order-payments.js", esModule = embed "../src/order-payments.js"),
    (name = "src/pages.js", esModule = embed "../src/pages.js"),
    (name = "src/receive-webhook.js", esModule = embed "../src/receive-webhook.js"),
    (name = "src/retry.js", esModule = embed "../src/retry.js"),
    (name = "src/send.js", esModule = embed "../src/send.js"),
    (name = "src/token.js", esModule = embed "../src/token.js"),
    (name = "src/verify-webhook.js", esModule = embed "../src/verify-webhook.js"),
    (name = "src/signature-header.js", esModule = embed "../src/signature-header.js"),
    (name = "src/webhook-error.js", esModule = embed "../src/webhook-error.js"),
  ],
  compatibilityDate = "2024-09-01",
);
