from fastapi import HTTPException, Request
from litellm.proxy._types import UserAPIKeyAuth

# One key for each group, with the models that the group may use.
MODELS = {
    "litellm-default-5f0c7a1e": ["g-large", "m-large", "image-1", "m-image"],
    "litellm-coding-tool-9ad1c34b": ["g-large"],
    "litellm-third-party-client-3be7f206": ["g-large", "c-large"],
    "litellm-rate-limited-77c2d98e": ["g-large", "m-large", "image-1", "m-image"],
}


async def user_api_key_auth(request: Request, api_key: str) -> UserAPIKeyAuth:
    if api_key not in MODELS:
        raise HTTPException(status_code=401, detail="unknown key")
    try:
        body = await request.json()
    except ValueError:
        body = None
    model = body.get("model") if isinstance(body, dict) else None
    if isinstance(model, str) and model not in MODELS[api_key]:
        raise HTTPException(status_code=403, detail="this key may not use this model")
    limit = 0 if "rate-limited" in api_key else None
    return UserAPIKeyAuth(api_key=api_key, rpm_limit=limit)
