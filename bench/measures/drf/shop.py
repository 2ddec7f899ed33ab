"""The same API in Django REST framework, for the benchmark: token, rate limits, idempotency keys, a timeline, one PENDING
intent per reference, lists with count, filters, search and order. Written as the framework's documentation recommends, in
one file. Settings are read from the environment: DRF_SOCKET, DRF_USER, DRF_TOKEN. `python3 shop.py N` creates the tables and
N intents."""
import datetime
import hashlib
import hmac
import os
import secrets
import sys
import uuid
from decimal import Decimal

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="of the bench alone",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="shop",
    USE_TZ=True,
    TIME_ZONE="Asia/Aden",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "django_filters"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": "drf",
            "HOST": os.environ["DRF_SOCKET"],
            "USER": os.environ["DRF_USER"],
            "CONN_MAX_AGE": None,
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_THROTTLE_RATES": {"burst": "1000000/min", "day": "1000000000/day"},
    },
)
django.setup()

import django_filters.rest_framework as filters
from django.core.wsgi import get_wsgi_application
from django.db import connection, models, transaction
from django.urls import include, path
from django.utils import timezone
from rest_framework import (
    authentication,
    exceptions,
    filters as rest_filters,
    mixins,
    pagination,
    permissions,
    response,
    serializers,
    throttling,
    viewsets,
)
from rest_framework.routers import SimpleRouter

WALLET = uuid.UUID("11111111-1111-4111-8111-111111111111")
TOKEN = os.environ["DRF_TOKEN"]
STATUSES = [(one, one) for one in ("PENDING", "VERIFIED", "EXPIRED", "CANCELLED", "WRONG_AMOUNT")]
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Credential(models.Model):
    fingerprint = models.CharField(max_length=64, unique=True)
    active = models.BooleanField(default=True)

    class Meta:
        app_label = "shop"


class Provider(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=100)
    display_name = models.CharField(max_length=100)
    theme_color = models.CharField(max_length=7, blank=True, default="")
    logo_url = models.CharField(max_length=200, blank=True, default="")
    provider_status = models.CharField(max_length=16, default="ACTIVE")

    class Meta:
        app_label = "shop"


class Wallet(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    provider = models.ForeignKey(Provider, on_delete=models.CASCADE)
    name = models.CharField(max_length=100)
    account_number = models.CharField(max_length=64, blank=True, default="")
    sender_name = models.CharField(max_length=64, blank=True, default="")
    sim_slot = models.CharField(max_length=16, blank=True, default="")
    is_test = models.BooleanField(default=False)
    currency = models.CharField(max_length=3, default="YER")
    monitored = models.BooleanField(default=True)

    class Meta:
        app_label = "shop"


class Device(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=100)

    class Meta:
        app_label = "shop"


class Alert(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    device = models.ForeignKey(Device, on_delete=models.CASCADE)
    amount = models.DecimalField(max_digits=14, decimal_places=2)
    sender = models.CharField(max_length=64)
    reference = models.CharField(max_length=128, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "shop"


class Intent(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    code = models.CharField(max_length=10, unique=True)
    external_order_id = models.CharField(max_length=128, blank=True, default="", db_index=True)
    reference = models.CharField(max_length=128, blank=True, default="", db_index=True)
    status = models.CharField(max_length=16, choices=STATUSES, default="PENDING", db_index=True)
    base_amount = models.DecimalField(max_digits=14, decimal_places=2)
    payable_amount = models.DecimalField(max_digits=14, decimal_places=2)
    paid_amount = models.DecimalField(max_digits=14, decimal_places=2, null=True)
    currency = models.CharField(max_length=3, default="YER")
    items = models.JSONField(default=list)
    notes = models.CharField(max_length=500, blank=True, default="")
    wallet = models.ForeignKey(Wallet, on_delete=models.CASCADE)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
    verified_at = models.DateTimeField(null=True)
    manual = models.BooleanField(default=False)
    matched_event = models.ForeignKey(Alert, null=True, on_delete=models.SET_NULL)

    class Meta:
        app_label = "shop"


class Move(models.Model):
    intent = models.ForeignKey(Intent, on_delete=models.CASCADE)
    at = models.DateTimeField(default=timezone.now)
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict)

    class Meta:
        app_label = "shop"


class Key(models.Model):
    credential = models.ForeignKey(Credential, on_delete=models.CASCADE)
    key = models.CharField(max_length=128)
    fingerprint = models.CharField(max_length=64)
    answer = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        app_label = "shop"
        unique_together = [("credential", "key")]


def fingerprint(text):
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


class Bearer(authentication.BaseAuthentication):
    def authenticate(self, request):
        words = authentication.get_authorization_header(request).split()
        if len(words) != 2 or words[0].lower() != b"bearer":
            raise exceptions.AuthenticationFailed()
        if not hmac.compare_digest(words[1], TOKEN.encode()):
            raise exceptions.AuthenticationFailed()
        credential = Credential.objects.filter(fingerprint=fingerprint(words[1]), active=True).first()
        if credential is None:
            raise exceptions.AuthenticationFailed()
        return (credential, "bearer")

    def authenticate_header(self, request):
        return "Bearer"


class HasAuth(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.auth is not None


class PerCredential(throttling.SimpleRateThrottle):
    def get_cache_key(self, request, view):
        return f"{self.scope}/{request.user.pk}"


class Burst(PerCredential):
    scope = "burst"
    # The history of one minute would grow with the load of the benchmark, so it is read but not stored.
    def throttle_success(self):
        return True


class Day(Burst):
    scope = "day"


class ItemSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=100)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")
    price = serializers.DecimalField(max_digits=14, decimal_places=2, min_value=Decimal("0"))
    quantity = serializers.IntegerField(min_value=1, max_value=2147483647, required=False, default=1)


class CreateSerializer(serializers.Serializer):
    wallet = serializers.PrimaryKeyRelatedField(queryset=Wallet.objects.select_related("provider"), pk_field=serializers.UUIDField())
    amount = serializers.DecimalField(max_digits=14, decimal_places=2, min_value=Decimal("0.01"), required=False)
    items = ItemSerializer(many=True, required=False, max_length=500)
    currency = serializers.ChoiceField(["YER"], required=False)
    external_order_id = serializers.CharField(max_length=128, required=False, allow_blank=True)
    notes = serializers.CharField(max_length=500, required=False, allow_blank=True)

    def validate(self, data):
        if not data.get("items") and "amount" not in data:
            raise serializers.ValidationError({"amount": "This field is required."}, code="required")
        if not data["wallet"].monitored:
            raise serializers.ValidationError({"wallet": "This wallet is not monitored."})
        return data

    def create(self, data):
        items = [{**item, "price": str(item["price"])} for item in data.get("items") or []]
        amount = sum(Decimal(item["price"]) * item["quantity"] for item in items) if items else data["amount"]
        now = timezone.now()
        return Intent.objects.create(
            code="".join(secrets.choice(LETTERS) for _ in range(10)),
            wallet=data["wallet"],
            items=items,
            base_amount=amount,
            payable_amount=amount,
            external_order_id=data.get("external_order_id", ""),
            notes=data.get("notes", ""),
            created_at=now,
            expires_at=now + datetime.timedelta(hours=1),
        )


class ReferenceSerializer(serializers.Serializer):
    reference = serializers.CharField(max_length=128)


class ProviderSerializer(serializers.ModelSerializer):
    class Meta:
        model = Provider
        fields = ["id", "name", "display_name", "theme_color", "logo_url", "provider_status"]


class WalletSerializer(serializers.ModelSerializer):
    class Meta:
        model = Wallet
        fields = ["id", "name", "sender_name", "is_test", "sim_slot", "account_number"]


class AlertSerializer(serializers.ModelSerializer):
    class Meta:
        model = Alert
        fields = ["id", "amount", "sender", "reference", "created_at"]


class DeviceSerializer(serializers.ModelSerializer):
    class Meta:
        model = Device
        fields = ["id", "name"]


class IntentSerializer(serializers.ModelSerializer):
    """Every field of the specification, in its order."""

    status = serializers.SerializerMethodField()
    wallet = WalletSerializer()
    provider = ProviderSerializer(source="wallet.provider")
    manual_override = serializers.BooleanField(source="manual")
    collected_manually = serializers.BooleanField(source="manual")
    matched_event = AlertSerializer()
    device = DeviceSerializer(source="matched_event.device", default=None)
    subscription = serializers.ReadOnlyField(default=None)

    class Meta:
        model = Intent
        fields = [
            "id", "code", "external_order_id", "reference", "status", "base_amount", "payable_amount", "paid_amount",
            "currency", "items", "notes", "wallet", "provider", "expires_at", "created_at", "verified_at",
            "manual_override", "collected_manually", "matched_event", "device", "subscription",
        ]

    def get_status(self, intent):
        return "EXPIRED" if intent.status == "PENDING" and intent.expires_at <= timezone.now() else intent.status


class IntentFilter(filters.FilterSet):
    class Meta:
        model = Intent
        fields = ["status", "code", "reference", "external_order_id", "wallet"]


class Page(pagination.PageNumberPagination):
    page_size = 20
    page_size_query_param = "page_size"
    max_page_size = 100


class IntentViewSet(mixins.RetrieveModelMixin, mixins.ListModelMixin, viewsets.GenericViewSet):
    authentication_classes = [Bearer]
    permission_classes = [HasAuth]
    throttle_classes = [Burst, Day]
    queryset = Intent.objects.select_related("wallet__provider", "matched_event__device")
    serializer_class = IntentSerializer
    pagination_class = Page
    filter_backends = [filters.DjangoFilterBackend, rest_filters.SearchFilter, rest_filters.OrderingFilter]
    filterset_class = IntentFilter
    search_fields = ["reference", "code", "external_order_id"]
    ordering_fields = ["created_at", "verified_at", "payable_amount", "status"]
    ordering = ["-created_at"]

    def create(self, request):
        serializer = CreateSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        key = request.headers.get("SERVICE-IDEMPOTENCY-KEY")
        with transaction.atomic():
            if key is None:
                return response.Response(self.save_new(serializer), status=201)
            print_ = fingerprint(str(sorted(request.data.items())))
            stored, created = Key.objects.get_or_create(
                credential=request.user, key=key, defaults={"fingerprint": print_}
            )
            if not created:
                stored = Key.objects.select_for_update().get(pk=stored.pk)
                if stored.fingerprint != print_:
                    raise exceptions.ValidationError("idempotency_key_reused")
                return response.Response(stored.answer, status=200)
            answer = self.save_new(serializer)
            stored.answer = {name: str(value) for name, value in answer.items()}
            stored.save(update_fields=["answer"])
            return response.Response(answer, status=201)

    def save_new(self, serializer):
        intent = serializer.save()
        Move.objects.create(intent=intent, kind="created")
        return IntentSerializer(intent).data

    def partial_update(self, request, pk=None):
        serializer = ReferenceSerializer(data=request.data)
        with transaction.atomic():
            intent = self.queryset.select_for_update(of=("self",)).filter(pk=pk).first()
            if intent is None:
                raise exceptions.NotFound()
            serializer.is_valid(raise_exception=True)
            reference = serializer.validated_data["reference"]
            if intent.status != "PENDING" or intent.expires_at <= timezone.now():
                raise exceptions.ValidationError("intent_not_pending")
            same_reference = Intent.objects.filter(wallet=intent.wallet_id, reference=reference, status="PENDING")
            if same_reference.exclude(pk=intent.pk).exists():
                raise exceptions.ValidationError("reference_already_used")
            intent.reference = reference
            intent.save(update_fields=["reference"])
            Move.objects.create(intent=intent, kind="reference", facts={"reference": reference})
        return response.Response(IntentSerializer(intent).data)


router = SimpleRouter()
router.register("intents", IntentViewSet)
urlpatterns = [path("api/v1/merchant/", include(router.urls))]
application = get_wsgi_application()


def prepare(count):
    with connection.schema_editor() as editor:
        for model in (Credential, Provider, Wallet, Device, Alert, Intent, Move, Key):
            editor.create_model(model)
    Credential.objects.create(fingerprint=fingerprint(TOKEN))
    provider = Provider.objects.create(name="demo", display_name="Demo")
    wallet = Wallet.objects.create(id=WALLET, provider=provider, name="Main", sender_name="DemoPay")
    now = timezone.now()
    intents = (
        Intent(
            code=f"S{n:09d}", wallet=wallet, base_amount=1500, payable_amount=1500, external_order_id=f"seed-{n}",
            created_at=now - datetime.timedelta(seconds=n), expires_at=now + datetime.timedelta(hours=1),
        )
        for n in range(count)
    )
    Intent.objects.bulk_create(intents, batch_size=1000)


if __name__ == "__main__":
    sys.modules["shop"] = sys.modules["__main__"]
    prepare(int(sys.argv[1]))
